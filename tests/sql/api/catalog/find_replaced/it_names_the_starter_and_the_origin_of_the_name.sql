begin;
select plan(4);

select t.make_principal('boss', 'admin');
select t.read_as('boss', 'qm_admin');
select api.add_origin('time', 'stdio', command => '{/u/time/bin/mcp-server-time}', is_starter => true), api.add_origin('mine', 'stdio', command => '{uvx,mine}');
select results_eq($$select * from api.find_replaced('mine', '{uvx,mcp-server-time}')$$, $$values ('mine', false), ('time', true)$$, 'both');
select results_eq($$select * from api.find_replaced('time')$$, $$values ('time', true)$$, 'a starter under its own name');
select is_empty($$select * from api.find_replaced('other', '{uvx,mine}')$$, 'no copy of what is no starter');
select api.remove_origin('time');
select is_empty($$select * from api.find_replaced('time', '{uvx,mcp-server-time}')$$, 'nothing that was removed');

select * from finish();
rollback;
