-- Ends what sql/doors/open.sql began, and keeps plans from the callers of operations: a plan shows what the planner knows
-- about hidden rows, and these settings, which every session may change, send plans and the sizes of sorts to the
-- client.
revoke create on schema api from qm_reader;
do $do$
declare
    v_function regprocedure;
    v_off text;
begin
    -- A server may lack one of them.
    select pg_catalog.string_agg(pg_catalog.format('set %I = off', s.name), ' ')
    into v_off
    from pg_catalog.pg_settings as s
    where s.name in ('debug_print_plan', 'trace_sort');
    for v_function in
        select p.oid from pg_catalog.pg_proc as p where p.pronamespace = 'api'::regnamespace and p.prosecdef
    loop
        execute pg_catalog.format('alter function %s %s', v_function, v_off);
    end loop;
end
$do$;
