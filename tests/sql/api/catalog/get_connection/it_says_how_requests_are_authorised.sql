begin;
select plan(4);

select t.make_principal('op', 'operator');
select t.read_as('op', 'qm_operator');
create temporary table ids as
select api.add_origin('hub', 'http', url => 'https://hub.example/mcp', auth => '{"grant": "signed", "per_principal": true}') as id;
select results_eq($$select c.auth from ids cross join lateral api.get_connection(ids.id) as c$$, $$values ('{"grant": "signed", "per_principal": true}'::jsonb)$$, 'as it was declared');
select t.act_as_superuser();
select is((select v.connection -> 'auth' ->> 'grant' from catalog.origin_version as v), 'signed', 'its history has it');
select throws_ok($$select api.add_origin('x', 'stdio', command => '{true}', auth => '{"grant": "signed"}')$$, 'QM422', null, 'what cannot be is refused');
select api.add_origin('hub', 'http', url => 'https://hub.example/mcp', replace => true);
select results_eq($$select c.auth from ids cross join lateral api.get_connection(ids.id) as c$$, $$values ('{}'::jsonb)$$, 'and replaced with the rest');

select * from finish();
rollback;
