begin;
select plan(5);

select t.make_catalog(), t.make_principal('alice');
select t.at('2030-01-01 10:00+00');
select t.read_as('alice');
create temporary table kept as
select b.call_id, service.keep_page(b.call_id, core.now(), 'a long text', 'text/plain') as handle
from service.call_begin('time__convert_time', 0, 'r', gen_random_uuid()) as b;
grant select on kept to public;
select matches((select k.handle from kept as k), '^[0-9a-f]{32}$', 'the handle says nothing');
select throws_ok(
    $$select service.keep_page(k.call_id + 1, core.now(), 'a', 'text/plain') from kept as k$$, 'QM404', null, 'there is no such call'
);
select throws_ok(
    $$select service.keep_page(k.call_id, core.now() + interval '1 s', 'a', 'text/plain') from kept as k$$, 'QM404', null, 'nor at another time'
);
select t.act_as_superuser();
select results_eq(
    $$select a.body, a.media_type, a.call_id = k.call_id, a.expires_at from calls.answer as a inner join kept as k on k.handle = a.name where a.kind = 'page'$$,
    $$values ('a long text', 'text/plain', true, '2030-01-01 11:00+00'::timestamptz)$$, 'with its type, for an hour'
);
update core.setting set value = '10' where name = 'answer.largest';
select t.read_as('alice');
select throws_ok(
    $$select service.keep_page(k.call_id, core.now(), 'a long text', 'text/plain') from kept as k$$, 'QM413', null, 'one byte too many'
);

select * from finish();
rollback;
