begin;
select plan(7);

select t.make_catalog(), t.make_principal('alice');
select t.read_as('alice');
create temporary table begun as select b.* from service.call_begin('time__get_current_time', 42, 'request-1', '00000000-0000-0000-0000-00000000000a') as b;
select results_eq($$select b.origin, b.tool, b.version, b.input_schema -> 'required' from begun as b$$, $$values ('time', 'get_current_time', 1, '["timezone"]'::jsonb)$$, 'what to call');
select results_eq(
    $$select c.outcome, c.argument_bytes, c.request_id, c.instance_id, c.ended_at from calls.call as c inner join begun as b on b.call_id = c.id$$,
    $$values ('pending', 42, 'request-1', '00000000-0000-0000-0000-00000000000a'::uuid, null::timestamptz)$$, 'the row'
);
select is((select b.ref from begun as b), (select t.id from catalog.item as t where t.public_name = 'time__get_current_time'), 'the tool itself');
select is((select c.call_id from service.call_begin('time__no_such', 0, 'r', gen_random_uuid()) as c), null, 'an unknown tool');
select is((select c.call_id from service.call_begin(null, 0, 'r', gen_random_uuid()) as c), null, 'none');
select is((select count(*) from calls.call as c), 1::bigint, 'only one row');
select t.act_as_superuser();
select t.make_origin('entry', 'none'), t.make_tool('entry', 'x');
select t.read_as('alice');
select throws_ok($$select * from service.call_begin('entry__x', 0, 'r', gen_random_uuid())$$, 'QM409', null, 'an entry without connection');

select * from finish();
rollback;
