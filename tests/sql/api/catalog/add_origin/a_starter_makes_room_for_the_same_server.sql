begin;
select plan(18);

select t.make_principal('boss', 'admin'), t.make_principal('op', 'operator');
select t.read_as('boss', 'qm_admin');
select isnt(api.add_origin('time', 'stdio', command => '{/u/time/bin/mcp-server-time}', is_starter => true), null, 'a starter is added');
select isnt(api.add_origin('time', 'stdio', command => '{/v/time/bin/mcp-server-time}', is_starter => true), null, 'and again, in its new place');
select is((select api.get_origin('time') -> 'is_starter'), 'true', 'it stays a starter');
select set_eq($$select f.origin from api.find_replaced('clock', '{uvx,mcp-server-time}') as f where f.is_starter$$, array['time'], 'it would make room');
select api.add_origin('clock', 'stdio', command => '{uvx,mcp-server-time}');
select set_eq($$select o.name from api.list_origins() as o$$, array['clock'], 'and makes room');
select is((select api.get_origin('clock') -> 'replaces'), '["time"]', 'which is told');
select is(api.add_origin('time', 'stdio', command => '{/w/time/bin/mcp-server-time}', is_starter => true), null, 'a starter does not come back by itself');
select isnt(api.add_origin('time', 'stdio', command => '{/w/time/bin/mcp-server-time}', is_starter => true, replace => true), null, 'but if it is asked for');
select set_eq($$select o.name from api.list_origins() as o$$, array['clock', 'time'], 'both are there');
select is((select api.get_origin('clock') -> 'replaces'), '[]', 'nothing is replaced any more');
select isnt(api.add_origin('time', 'stdio', command => '{/x/time/bin/mcp-server-time}', is_starter => true), null, 'and it is kept up to date');
select isnt(api.add_origin('time', 'http', url => 'http://127.0.0.1:1/mcp'), null, 'an origin of its name replaces it without more words');
select is((select api.get_origin('time') -> 'replaces'), '["time"]', 'which is told, too');
select throws_ok($$select api.add_origin('time', 'none')$$, 'QM409', null, 'but not the origin of a person');
select is(api.add_origin('time', 'stdio', command => '{/x/time/bin/mcp-server-time}', is_starter => true), null, 'nor does a starter');
select is(api.add_origin('zeit', 'stdio', command => '{/x/zeit/bin/mcp-server-time}', is_starter => true), null, 'a starter that the user has already is not added');
select isnt(api.add_origin('git', 'stdio', command => '{/x/git/bin/mcp-server-git}', is_starter => true), null, 'another one is');
select t.read_as('op', 'qm_operator');
select throws_ok($$select api.add_origin('own', 'http', url => 'http://127.0.0.1:1/mcp', is_starter => true)$$, 'QM403', null, 'an operator adds no starter');

select * from finish();
rollback;
