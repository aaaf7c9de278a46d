-- projects.let_members_read: the files in sql/rls call this function. A table without a column project_id names its
-- parent, whose policy then decides.
create or replace function projects.let_members_read(
    p_table regclass, p_parent regclass default null, p_column text default 'project_id'
)
returns void
language plpgsql
volatile parallel unsafe security invoker
set search_path = pg_catalog, pg_temp
as $function$
begin
    execute format('grant select on %s to qm_reader, qm_admin', p_table);
    execute format(
        'create policy member_reads on %s for select to qm_reader, qm_admin using (%s)',
        p_table,
        case
            when p_parent is null then format('%I = any((select projects.mine())::integer[])', p_column)
            else format('exists (select from %s as p where p.id = %I)', p_parent, p_column)
        end
    );
end
$function$;
comment on function projects.let_members_read(regclass, regclass, text) is
'Restricts access to the rows of a table: only members of the project to which a row belongs may read the row. '
'Arguments: p_table: the table; p_parent: parent table whose row policy decides (null: the table has its own column '
'with the project); p_column: name of the column with the id of the project, or with the id of the row in the parent '
'table.';
