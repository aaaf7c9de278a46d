begin;
select plan(7);

select t.make_origin('o'), t.make_principal('op', 'operator');
select t.act_as('op', 'qm_operator');
select throws_ok($$select api.store_assets(-1, 'prompt', '[]')$$, 'QM404', null, 'an unknown refresh');
select api.request_refresh('o');
create temporary table run as select c.refresh_id from api.claim_refresh(gen_random_uuid()) as c;
select throws_ok($$select api.store_assets(r.refresh_id, 'prompt', '{}') from run as r$$, 'QM422', null, 'no array');
select throws_ok($$select api.store_assets(r.refresh_id, 'tool', '[]') from run as r$$, 'QM422', null, 'no such kind');
select is((select api.store_assets(r.refresh_id, 'prompt', '[{"name": "a"}, {"name": "b"}]') from run as r), 2, 'two came');
select is((select api.store_assets(r.refresh_id, 'prompt', '[{"name": "c"}]', '{}') from run as r), 1, 'of a part nothing goes');
select is((select api.store_assets(r.refresh_id, 'prompt', '[{"name": "d"}]', '{a,b,c,d}') from run as r), 1, 'with the last part what is not among all');
select is((select api.store_assets(r.refresh_id, 'prompt', '[{"name": "a"}]') from run as r), 3, 'three went');

select * from finish();
rollback;
