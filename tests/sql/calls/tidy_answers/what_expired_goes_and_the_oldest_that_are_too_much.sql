begin;
select plan(4);

select t.make_catalog(), t.make_principal('alice');
select t.at('2030-01-01 10:00+00');
insert into calls.answer (kind, principal_id, item_id, name, request_hash, call_id, called_at, body, created_at, expires_at)
select v.kind, p.id, x.id, v.name, '', 1, core.now(), repeat('x', 100), core.now() - v.age, core.now() - v.age + interval '1 hour'
from (
    values
    ('page', 'expired', interval '61 minutes'), ('page', 'oldest', interval '4 minutes'), ('key', 'old', interval '3 minutes'),
    ('cache', 'newer', interval '2 minutes'), ('page', 'newest', interval '1 minute')
) as v (kind, name, age)
cross join catalog.item as x cross join policy.principal as p
where x.public_name = 'time__convert_time' and p.name = 'alice';
update core.setting set value = '250' where name = 'answer.most_bytes';
select is(calls.tidy_answers(), 3, 'three are kept no longer');
select results_eq($$select a.name from calls.answer as a where a.body is not null order by a.created_at$$, array['newer', 'newest'], 'the newest are');
select is((select a.body from calls.answer as a where a.name = 'old'), null, 'of a key the answer goes');
select is((select count(*) from calls.answer as a where a.name = 'old'), 1::bigint, 'but not that its call was made');

select * from finish();
rollback;
