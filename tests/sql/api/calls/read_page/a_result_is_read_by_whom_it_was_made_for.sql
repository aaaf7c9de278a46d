begin;
select plan(11);

select t.make_catalog(), t.make_principal('alice'), t.make_principal('bob');
select t.at('2030-01-01 10:00+00');
select t.read_as('alice');
create temporary table kept as
select service.keep_page(b.call_id, core.now(), 'äbcdefghij', 'text/plain') as handle from service.call_begin('time__convert_time', 0, 'r', gen_random_uuid()) as b;
grant select on kept to public;
select results_eq(
    $$select p.page, p.characters, p.next_start, p.media_type, p.tool from kept as k cross join api.read_page(k.handle, 0, 4) as p$$,
    $$values ('äbcd', 10::bigint, 4::bigint, 'text/plain', 'time__convert_time')$$, 'a part, counted in characters'
);
select results_eq($$select p.page, p.next_start from kept as k cross join api.read_page(k.handle, 8, 4) as p$$, $$values ('ij', null::bigint)$$, 'the last');
select is((select p.page from kept as k cross join api.read_page(k.handle) as p), 'äbcdefghij', 'all, where the tool allows so much');
select throws_ok($$select p.* from kept as k cross join api.read_page(k.handle, 11) as p$$, 'QM422', null, 'behind the end');
select throws_ok($$select p.* from kept as k cross join api.read_page(k.handle, -1) as p$$, 'QM422', null, 'before the beginning');
select throws_ok($$select * from api.read_page('no such')$$, 'QM404', null, 'no such result');
select t.read_as('bob');
select throws_ok($$select p.* from kept as k cross join api.read_page(k.handle) as p$$, 'QM404', null, 'another''s is not there');
select throws_ok($$select service.keep_page(c.id, c.started_at, 'x', 'text/plain') from (values (1::bigint, core.now())) as c (id, started_at)$$, 'QM404', null, 'nor is anything kept for another''s call');
select t.at('2030-01-01 11:00+00');
select t.read_as('alice');
select throws_ok($$select p.* from kept as k cross join api.read_page(k.handle) as p$$, 'QM404', null, 'after an hour it is gone');
select t.at('2030-01-01 10:00+00');
select t.act_as_superuser();
select t.make_rules('{"rules": [{"effect": "deny", "subject": "everyone", "tools": "time__convert_time"}]}');
select t.read_as('alice');
select throws_ok($$select p.* from kept as k cross join api.read_page(k.handle) as p$$, 'QM404', null, 'whoever may not call the tool any more does not read on');
select t.act_as_superuser();
update core.setting set value = '3' where name = 'answer.largest';
select t.make_rules('{"rules": []}');
select t.read_as('alice');
select throws_ok(
    $$select service.keep_page(b.call_id, core.now(), 'abcd', 'text/plain') from service.call_begin('time__convert_time', 0, 'r', gen_random_uuid()) as b$$, 'QM413', null, 'too large to keep'
);

select * from finish();
rollback;
