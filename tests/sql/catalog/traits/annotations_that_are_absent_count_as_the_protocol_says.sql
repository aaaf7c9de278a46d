begin;
select plan(5);

select is(catalog.traits('{"readOnlyHint": true, "destructiveHint": false}'), '{read_only}', 'what only reads destroys nothing');
select is(catalog.traits('{"destructiveHint": false}'), '{}', 'it writes and destroys nothing');
select is(catalog.traits('{"readOnlyHint": false}'), '{destructive}', 'it may destroy');
select is(catalog.traits('{"readOnlyHint": "true", "destructiveHint": "false"}'), '{destructive}', 'only booleans count');
select is(catalog.traits(null), '{destructive}', 'nothing is said');

select * from finish();
rollback;
