begin;
select plan(6);

select t.make_origin('mine'), t.make_origin('starter'), t.make_origin('gone');
update catalog.origin set command = '{uvx,mcp-server-time}' where name = 'mine';
update catalog.origin set is_starter = true, command = '{uvx,mcp-server-git}' where name <> 'mine';
update catalog.origin set status = 'removed' where name = 'gone';
select is(catalog.is_unwanted('mine', '{uvx,other}'), true, 'an origin of the user has its name');
select is(catalog.is_unwanted('gone', '{uvx,other}'), true, 'the user has removed it');
select is(catalog.is_unwanted('starter', '{uvx,mcp-server-time}'), false, 'it is there, and is kept up to date');
select is(catalog.is_unwanted('time', '{npx,-y,@modelcontextprotocol/server-time}'), true, 'the user runs the same package');
select is(catalog.is_unwanted('git', '{uvx,mcp-server-git}'), false, 'only starters run it');
update catalog.origin set status = 'removed' where name = 'mine';
select is(catalog.is_unwanted('time', '{uvx,mcp-server-time}'), false, 'the user runs it no more');

select * from finish();
rollback;
