begin;
select plan(2);

select is(core.tally('{tool,asset,tool,tool}'), '{"tool": 3, "asset": 1}', 'values');
select is(core.tally('{}'), '{}', 'no values');

select * from finish();
rollback;
