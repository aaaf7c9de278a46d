begin;
select plan(7);

select t.make_principal('alice'), t.make_principal('op', 'operator');
select t.act_as('alice');
select throws_ok($$select api.configure_job('learn', '1 minute')$$, '42501', null, 'users change none');
select t.act_as_superuser();
update jobs.job as j set next_at = '2026-01-02 10:00+00' where j.name = 'refresh';
select t.act_as('op', 'qm_operator');
select t.at('2026-01-01 10:00+00');
select throws_ok($$select api.configure_job('lern', '1 minute')$$, 'QM404', null, 'one that is not there');
select throws_ok($$select api.configure_job('learn', '1 millisecond')$$, 'QM422', null, 'too often');
select is(api.configure_job('refresh', '1 hour'), '2026-01-01 11:00+00'::timestamptz, 'oftener: due sooner');
select is(api.configure_job('refresh', '48 hours'), '2026-01-01 11:00+00'::timestamptz, 'more seldom: from the next run on');
select is(api.configure_job('refresh', enabled => false), null, 'off: never due');
select results_eq($$select j.every, j.enabled from api.list_jobs() as j where j.name = 'refresh'$$, $$values (interval '48 hours', false)$$, 'the rest stays');

select * from finish();
rollback;
