begin;
select plan(3);

create temporary table who as select t.make_principal('alice') as alice, t.make_principal('boss', 'admin') as boss;
set local track_functions = 'all';

do $$ begin
    for n in 1 .. 10 loop perform policy.guardrails_of(w.alice, null, 'web') from who as w; end loop;
end $$;
select is(pg_stat_get_xact_function_calls('policy.guardrails_of'::regproc), 10::bigint, 'the calls are counted');
select is(
    pg_stat_get_xact_function_calls('policy.subjects_of'::regproc), null,
    'without guardrails, no subjects are looked up, not even by the planner'
);

select t.act_as('boss', 'qm_admin');
select api.apply_rules('{"guardrails": [{"subject": "everyone", "secrets": "mark"}, {"subject": "role:admin", "secrets": "mask"}]}');
select t.act_as_superuser();
create temporary table calls as select coalesce(pg_stat_get_xact_function_calls('policy.subjects_of'::regproc), 0) as before;
do $$ begin
    for n in 1 .. 10 loop perform policy.guardrails_of(w.alice, null, 'web') from who as w; end loop;
end $$;
select is(
    pg_stat_get_xact_function_calls('policy.subjects_of'::regproc) - c.before, 10::bigint,
    'with guardrails, each call looks them up once'
)
from calls as c;

select * from finish();
rollback;
