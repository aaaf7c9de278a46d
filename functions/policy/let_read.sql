-- policy.let_read: lets every principal with a role, or with a higher role, read all rows in a table. The files in
-- sql/rls call this function.
create or replace function policy.let_read(p_table regclass, p_role text)
returns void
language plpgsql
volatile parallel unsafe security invoker
set search_path = pg_catalog, pg_temp
as $function$
begin
    execute format('grant select on %s to qm_reader, qm_admin', p_table);
    execute format(
        'create policy %I on %s for select to qm_reader, qm_admin using ((select policy.has_role(%L)))',
        p_role || '_reads', p_table, p_role
    );
end
$function$;
comment on function policy.let_read(regclass, text) is
'Allows every principal who has at least the given role to read all rows in a table. The function grants select on the '
'table, and creates the row policy ROLE_reads. Arguments: p_table: the table; p_role: the role: user, operator or '
'admin.';
