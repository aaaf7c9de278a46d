begin;
select plan(4);

update core.setting set value = '2' where name = 'lookup.max_batch';
select lives_ok($$select lookup.require_batch('[1, 2]', 'queries', 'Send an array.')$$, 'as many as the setting allows');
select throws_ok($$select lookup.require_batch('[1, 2, 3]', 'queries', 'Send an array.')$$, 'QM413', 'a batch may have at most 2 queries, got 3', 'one more');
select throws_ok($$select lookup.require_batch('{}', 'queries', 'Send an array.')$$, 'QM422', 'the queries must be a JSON array', 'no array');
select throws_ok($$select lookup.require_batch(null, 'queries', 'Send an array.')$$, 'QM422', 'the queries must be a JSON array', 'nothing');

select * from finish();
rollback;
