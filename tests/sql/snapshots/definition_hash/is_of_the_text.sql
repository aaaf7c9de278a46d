begin;
select plan(2);

select is(snapshots.definition_hash('{"b": 1, "a": [2]}'), sha256('{"a": [2], "b": 1}'), 'SHA-256 of the value as PostgreSQL writes it');
select isnt(snapshots.definition_hash('{"a": 1}'), snapshots.definition_hash('{"a": "1"}'), 'a number is no string');

select * from finish();
rollback;
