begin;
select plan(2);

select policy.put_version('{"default": "deny"}'), policy.put_version('{"default": "allow"}');
select is_empty('select * from core.lagging_sequences()', 'the sequence is as far as the versions');
savepoint tried;
select policy.put_version('{"default": "deny"}');
rollback to tried;
select is(
    policy.put_version('{"default": "deny"}'),
    (select v.id + 3 from policy.rule_version as v where v.note = 'as installed'),
    'a version that was only tried leaves no gap'
);

select * from finish();
rollback;
