begin;
select plan(5);

select t.make_catalog(), t.make_principal('alice'), t.make_principal('bob'), t.make_principal('boss', 'admin');
select t.act_as('bob');
select api.select_tools('open a ticket');
select set_config('t.receipt', api.last_receipt()::text, true);
create function pg_temp.shown() returns text language sql as $$
    select s.text from api.show_receipt(current_setting('t.receipt')::bigint) as s where s.part = 'asked'
$$;
grant execute on all functions in schema pg_temp to public;
select t.act_as('alice');
select throws_ok('select pg_temp.shown()', 'QM404', null, 'not another''s');
select throws_ok('select * from api.show_receipt(0)', 'QM404', null, 'which is like one that does not exist');
select t.act_as(null);
select throws_ok('select pg_temp.shown()', 'QM403', null, 'and none without a principal');
select t.act_as('bob');
select is(pg_temp.shown(), 'open a ticket', 'one''s own');
select t.act_as('boss', 'qm_admin');
select is(pg_temp.shown(), 'open a ticket', 'an administrator sees all');

select * from finish();
rollback;
