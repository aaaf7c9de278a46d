begin;
select plan(5);

select t.make_principal('boss', 'admin');
select t.read_as('boss', 'qm_admin');
create temporary table ids as
select api.add_origin('hub', 'http', url => 'https://hub.example/mcp', auth => '{"grant": "signed", "per_principal": true}') as id;
select results_eq($$select c.auth from ids cross join lateral service.get_connection(ids.id) as c$$, $$values ('{"grant": "signed", "per_principal": true}'::jsonb)$$, 'as it was declared');
select t.act_as_superuser();
select is((select v.connection -> 'auth' ->> 'grant' from catalog.origin_version as v), 'signed', 'its history has it');
select throws_ok($$select api.add_origin('x', 'stdio', command => '{true}', auth => '{"grant": "signed"}')$$, 'QM422', null, 'what cannot be is refused');
select api.add_origin('hub', 'http', url => 'https://hub.example/mcp', replace => true);
select results_eq($$select c.auth from ids cross join lateral service.get_connection(ids.id) as c$$, $$values ('{}'::jsonb)$$, 'and replaced with the rest');

select api.allow('network', '10.0.0.0/8', 'hub'), api.allow('network', '10.0.0.0/8', 'other'), api.allow('network', '127.0.0.1');
select results_eq($$select c.networks from ids cross join lateral service.get_connection(ids.id) as c$$, $$values ('{10.0.0.0/8,127.0.0.1/32}'::text[])$$, 'and to which networks it may connect');

select * from finish();
rollback;
