begin;
select plan(4);

select t.make_catalog(), t.make_principal('alice'), t.make_principal('bob'), t.make_principal('boss', 'admin');
select t.act_as('bob');
select api.select_tools('open a ticket');
select set_config('t.receipt', api.last_receipt()::text, true);
select t.act_as('alice');
select is(api.show_receipt(current_setting('t.receipt')::bigint), null, 'not another''s');
select t.act_as(null);
select is(api.show_receipt(current_setting('t.receipt')::bigint), null, 'and none without a principal');
select t.act_as('bob');
select is(api.show_receipt(current_setting('t.receipt')::bigint) ->> 'goal', 'open a ticket', 'one''s own');
select t.act_as('boss', 'qm_admin');
select ok(api.show_receipt(current_setting('t.receipt')::bigint) ?& '{goal,offered,withheld,stages}', 'an administrator sees all');

select * from finish();
rollback;
