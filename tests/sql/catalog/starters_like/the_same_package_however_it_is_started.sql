begin;
select plan(3);

select t.make_origin('time'), t.make_origin('gone'), t.make_origin('own');
update catalog.origin set command = '{/u/time/bin/mcp-server-time}', is_starter = name <> 'own', status = case name when 'gone' then 'removed' else status end;
select is(catalog.starters_like('{uvx,mcp-server-time}'), array[catalog.origin_id('time')], 'a starter that is there');
select is(catalog.starters_like('{uvx,mcp-server-git}'), '{}', 'another package');
select is(catalog.starters_like('{}'), '{}', 'no command');

select * from finish();
rollback;
