begin;
select plan(9);

select is(catalog.tool_destroys('delete_file', null), 'delet', 'the token of the first word');
select is(catalog.tool_destroys('databasesRemoveUser', null), 'remov', 'wherever it stands');
select is(catalog.tool_destroys('drop_table', null), 'drop', 'a name may begin with drop');
select is(catalog.tool_destroys('drag_and_drop', null), null, 'but to drop elsewhere is no harm');
select is(catalog.tool_destroys('list_deleted_files', null), null, 'another form of the word is no order');
select is(catalog.tool_destroys('clear_cache', '{"readOnlyHint": true}'), null, 'annotated as reading');
select is(catalog.tool_destroys('clear_cache', '{"destructiveHint": false}'), null, 'annotated as harmless');
select is(catalog.tool_destroys('clear_cache', '{"destructiveHint": true}'), 'clear', 'annotated as destructive');
select is(catalog.tool_destroys('write_file', '{"destructiveHint": true}'), null, 'writing is not what its name calls destroying');

select * from finish();
rollback;
