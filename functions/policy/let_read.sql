-- policy.let_read: lets every principal of a role, and of those above it, read all rows of a table. For sql/rls.
create or replace function policy.let_read(p_table regclass, p_role text)
returns void
language plpgsql
volatile parallel unsafe security invoker
set search_path = pg_catalog, pg_temp
as $function$
begin
    execute format('grant select on %s to %I', p_table, 'qm_' || p_role);
    execute format(
        'create policy %I on %s for select to %I using ((select policy.principal_id()) is not null)',
        p_role || '_reads', p_table, 'qm_' || p_role
    );
end
$function$;
comment on function policy.let_read(regclass, text) is
'Arguments: table; user, operator or admin. Grants select, and creates the row policy ROLE_reads.';
