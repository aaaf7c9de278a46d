begin;
select plan(6);

create function pg_temp.declared(p_changes jsonb) returns jsonb language sql
return '{"name": "odd", "not_found": "card_not_found", "is_default": false}'::jsonb || p_changes;
select lives_ok($$select search.require_declaration(pg_temp.declared('{}'), '')$$, 'a plain kind is stored');
select throws_ok($$select search.require_declaration(pg_temp.declared('{"name": "Odd one"}'), '')$$, 'QM422', null, 'a name is lower case');
select throws_ok($$select search.require_declaration(pg_temp.declared('{"name": "tool"}'), 'mine')$$, 'QM422', null, 'a kind belongs to one folder');
select throws_ok($$select search.require_declaration(pg_temp.declared('{"card_function": "t.none"}'), '')$$, 'QM422', null, 'a function exists');
select throws_ok($$select search.require_declaration(pg_temp.declared('{"not_found": "none"}'), '')$$, 'QM422', null, 'and an error');
select throws_ok($$select search.require_declaration(pg_temp.declared('{"is_default": true}'), '')$$, 'QM422', null, 'one kind is the default');

select * from finish();
rollback;
