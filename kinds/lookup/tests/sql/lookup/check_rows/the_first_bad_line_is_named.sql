begin;
select plan(8);

select lives_ok($$select lookup.check_rows('[{"id": "1", "value": "x", "aliases": null}, {"id": "2", "value": "x"}]')$$, 'two rows');
select throws_ok(format('select lookup.check_rows(%L)', r.rows), 'QM422', r.message, r.message)
from (
    values
    ('{}', 'the rows must be a JSON array'),
    ('[{"id": "1", "value": "x"}, 5]', 'line 2: the row is not an object'),
    ('[{"id": " ", "value": "x", "line": 7}]', 'line 7: the row has no id'),
    ('[{"id": "1", "value": ""}, 5]', 'line 1: the row has no value'),
    ('[{"id": "1", "value": "x", "aliases": "y"}]', 'line 1: the aliases are not a list'),
    ('[{"id": "1", "value": "x", "active": 1}]', 'line 1: the value of active is neither true nor false'),
    ('[{"id": "1", "value": "x"}, {"id": "1", "value": "y"}]', 'line 2: the id ''1'' occurs twice')
) as r (rows, message);

select * from finish();
rollback;
