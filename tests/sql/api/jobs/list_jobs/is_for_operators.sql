begin;
select plan(3);

select t.make_principal('alice'), t.make_principal('op', 'operator');
select t.act_as('alice');
select throws_ok($$select * from api.list_jobs()$$, '42501', null, 'users see none');
select t.act_as('op', 'qm_operator');
select results_eq(
    $$select j.name, j.last_started_at from api.list_jobs() as j$$,
    $$values ('evaluate_lookups', null::timestamptz), ('forget', null), ('hints', null), ('learn', null), ('refresh', null), ('refresh_lookups', null), ('retain', null), ('snapshot', null), ('tend', null)$$,
    'by name, also what has never run'
);
select count(*) from api.run_job('learn');
select results_eq($$select j.last_result, j.last_failure from api.list_jobs() as j where j.name = 'learn'$$, $$values ('{"tools": 0, "receipts": 0}'::jsonb, null::text)$$, 'with the last run');

select * from finish();
rollback;
