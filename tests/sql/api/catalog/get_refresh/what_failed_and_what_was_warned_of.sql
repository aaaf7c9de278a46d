begin;
select plan(3);

select t.make_origin('o'), t.make_principal('op', 'operator');
select t.act_as('op', 'qm_operator');
select api.request_refresh('o');
create temporary table run as select c.refresh_id from service.claim_refresh(gen_random_uuid()) as c;
select service.finish_refresh(run.refresh_id, failure_class => 'timeout', failure => 'no answer', warnings => '{left out}') from run;
select results_eq(
    $$select g.origin, g.status, g.added, g.failure_class, g.failure, g.warnings, g.finished_at is null from run cross join lateral api.get_refresh(run.refresh_id) as g$$,
    $$values ('o', 'failed', 0, 'timeout', 'no answer', '{left out}'::text[], false)$$, 'a refresh that failed'
);
select throws_ok($$select * from api.get_refresh(-1)$$, 'QM404', null, 'a refresh that is not there');
select t.act_as(null, 'qm_operator');
select throws_ok($$select g.* from run cross join lateral api.get_refresh(run.refresh_id) as g$$, 'QM403', null, 'nobody reads it');

select * from finish();
rollback;
