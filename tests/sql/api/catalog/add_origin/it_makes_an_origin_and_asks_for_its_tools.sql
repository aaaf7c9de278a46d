begin;
select plan(9);

select t.make_principal('boss', 'admin');
select t.read_as('boss', 'qm_admin');
select isnt(api.add_origin('time', 'stdio', command => '{mcp-server-time}'), null::bigint, 'its id');
select results_eq($$select o.name, o.transport, o.status, o.items from api.list_origins() as o$$, $$values ('time', 'stdio', 'new', '{}'::jsonb)$$, 'it is listed');
select is((select count(*) from catalog.refresh as r where r.status = 'requested'), 1::bigint, 'its refresh waits');
select throws_ok($$select api.add_origin('time', 'none')$$, 'QM409', null, 'a second of the name is refused');
select lives_ok($$select api.add_origin('time', 'http', url => 'http://127.0.0.1:1/mcp', replace => true)$$, 'unless it replaces');
select is((select api.get_origin('time') ->> 'url'), 'http://127.0.0.1:1/mcp', 'and then it does');
select throws_ok($$select api.add_origin('x', 'stdio')$$, 'QM422', null, 'an incomplete one is refused');
select lives_ok($$select api.add_origin('entry', 'none')$$, 'an entry without connection');
select is((select count(*) from catalog.refresh as r where r.status = 'requested'), 1::bigint, 'asks for nothing');

select * from finish();
rollback;
