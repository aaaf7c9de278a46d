begin;
select plan(8);

select is(catalog.default_problem('n', '{"type": "integer"}', '5'), null, 'an integer');
select is(catalog.default_problem('n', '{"type": "integer"}', '5.5'), 'the default of ''n'' is not of the type integer', 'no integer');
select is(catalog.default_problem('n', '{"type": ["string", "null"]}', '5'), 'the default of ''n'' is not of the type string or null; as a text, it is written "5", with the quotes', 'none of two types');
select is(catalog.default_problem('n', '{"type": ["string", "null"]}', 'null'), null, 'one of two types');
select is(catalog.default_problem('n', '{"enum": ["a", "b"]}', '"c"'), 'the default of ''n'' is not one of the values that the argument may have', 'another value');
select is(catalog.default_problem('n', '{"enum": ["a", "b"]}', '"b"'), null, 'one of the values');
select is(catalog.default_problem('n', '{}', '{"any": "thing"}'), null, 'without a type, everything can be one');
select is(catalog.default_problem('n', '{"type": "integer"}', null), null, 'no default');

select * from finish();
rollback;
