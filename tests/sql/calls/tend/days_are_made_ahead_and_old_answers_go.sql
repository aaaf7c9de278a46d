begin;
select plan(3);

select t.make_catalog(), t.make_principal('alice');
select t.at('2030-01-01 10:00+00');
insert into calls.answer (kind, principal_id, item_id, name, request_hash, call_id, called_at, body, created_at, expires_at)
select 'cache', p.id, x.id, 'n', '', 1, core.now(), 'x', core.now() - interval '2 hours', core.now() - interval '1 hour'
from policy.principal as p cross join catalog.item as x where p.name = 'alice' and x.name = 'convert_time';
select is(calls.tend(), '{"partitions": 3, "answers": 1}', 'today and the next two days');
select isnt(to_regclass('calls.call_2030_01_03'), null, 'are there');
select is(calls.tend(), '{"partitions": 0, "answers": 0}', 'once');

select * from finish();
rollback;
