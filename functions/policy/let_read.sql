-- policy.let_read: the files in sql/rls call this function.
create or replace function policy.let_read(
    p_table regclass, p_role text, p_parent regclass default null, p_column text default null
)
returns void
language plpgsql
volatile parallel unsafe security invoker
set search_path = pg_catalog, pg_temp
as $function$
begin
    execute format('grant select on %s to qm_reader, qm_admin', p_table);
    execute format(
        'create policy %I on %s for select to qm_reader, qm_admin using ((select policy.has_role(%L))%s)',
        p_role || '_reads',
        p_table,
        p_role,
        case
            when p_parent is not null
                then format(' and exists (select from %s as p where p.id = %I)', p_parent, p_column)
        end
    );
end
$function$;
comment on function policy.let_read(regclass, text, regclass, text) is
'Allows every principal who has at least the given role to read the rows in a table. The function grants select on the '
'table, and creates the row policy ROLE_reads. Arguments: p_table: the table; p_role: the role: user, operator or '
'admin; p_parent: parent table, whose row policy decides, too (null: all rows may be read); p_column: name of the '
'column with the id of the row in the parent table.';
