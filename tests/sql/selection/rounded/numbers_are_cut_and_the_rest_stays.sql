begin;
select plan(2);

select is(selection.rounded('{"a": 0.123456789, "b": "x", "c": [1.23456789], "d": null, "e": 3}'), '{"a": 0.1235, "b": "x", "c": [1.23456789], "d": null, "e": 3.0000}', 'members of each type');
select is(selection.rounded('{}'), '{}', 'none');

select * from finish();
rollback;
