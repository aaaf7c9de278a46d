begin;
select plan(2);

select is_empty('select * from search.missing_indexes()', 'an installation makes all of them');
drop index search.card_tool_label_idx;
select results_eq('select * from search.missing_indexes()', $$values ('search.card_tool_label_idx')$$, 'one that was dropped');

select * from finish();
rollback;
