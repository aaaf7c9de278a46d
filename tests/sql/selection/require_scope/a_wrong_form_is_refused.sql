begin;
select plan(12);

select is(selection.require_scope(null), '{}', 'nothing is no limit');
select is(selection.require_scope('null'), '{}', 'nor is JSON''s null');
select is(selection.require_scope('{"domain": "databases"}'), '{"domain": "databases"}', 'a text');
select is(selection.require_scope('{"among": [1, 2]}'), '{"among": [1, 2]}', 'ids');
select throws_ok(format('select selection.require_scope(%L)', w.form), 'QM422', null, w.form)
from (
    values ('[1]'), ('"x"'), ('1'), ('{"among": 1}'), ('{"among": ["1"]}'), ('{"among": [1.5]}'), ('{"among": [1.0]}'), ('{"among": [null]}')
) as w (form);

select * from finish();
rollback;
