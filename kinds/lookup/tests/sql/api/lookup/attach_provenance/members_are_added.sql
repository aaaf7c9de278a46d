begin;
select plan(8);

select t.make_lookups(), t.make_principal('alice'), t.make_principal('op', 'operator');
select t.act_as('alice');
select throws_ok($$select * from api.attach_provenance('plant', '1', '{"source": "x"}')$$, 'QM403', null, 'not for a user');
select t.act_as('op', 'qm_operator');
select throws_ok($$select * from api.attach_provenance('plant', '1', '[]')$$, 'QM422', null, 'no object');
select throws_ok($$select * from api.attach_provenance('plant', '1', '{}')$$, 'QM422', null, 'nothing');
select throws_ok($$select * from api.attach_provenance('plant', '1', jsonb_build_object('text', repeat('x', 10000)))$$, 'QM422', null, 'a text');
select results_eq($$select r.provenance from api.attach_provenance('plant', '1', '{"source": "Flora", "page": 7}') as r$$, array['{"source": "Flora", "page": 7}'::jsonb], 'it is there');
select results_eq($$select r.provenance from api.attach_provenance('plant', '1', '{"page": null, "year": 1964}') as r$$, array['{"source": "Flora", "year": 1964}'::jsonb], 'members come and go');
select results_eq($$select r.provenance from api.attach_provenance('plant', '1', '{"source": null, "year": null}') as r$$, array['{}'::jsonb], 'and all of them');
select is_empty($$select * from api.list_curations('plant')$$, 'then nothing is curated');

select * from finish();
rollback;
