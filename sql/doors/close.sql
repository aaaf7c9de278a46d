-- Ends what sql/doors/open.sql began, and keeps plans from the callers of operations: a plan shows what the planner knows
-- about hidden rows, and these settings, which every session may change, send plans and the sizes of sorts to the
-- client.
revoke create on schema api from qm_reader;
do $do$
declare
    v_function regprocedure;
    v_setting text;
begin
    for v_function, v_setting in
        select
            p.oid,
            s.name
        from pg_catalog.pg_proc as p
        cross join pg_catalog.pg_settings as s
        where
            p.pronamespace = 'api'::regnamespace
            and p.prosecdef
            and s.name in ('debug_print_plan', 'trace_sort')
    loop
        execute pg_catalog.format('alter function %s set %I = off', v_function, v_setting);
    end loop;
end
$do$;
