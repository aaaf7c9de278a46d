-- projects.let_members_read: lets the members of a project read what a table contains about it, and nobody else: no role
-- makes anybody a member. The files in sql/rls call this function.
create or replace function projects.let_members_read(p_table regclass, p_of regclass default null, p_key name default null)
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
            when p_of is null then 'project_id = any((select projects.mine())::integer[])'
            else format('exists (select from %s as o where o.id = %s.%I)', p_of, p_table, p_key)
        end
    );
end
$function$;
comment on function projects.let_members_read(regclass, regclass, name) is
'Lets the members of a project read what a table contains about it. Arguments: p_table: the table; p_of: the table whose '
'rows it belongs to, if it has no project_id itself; p_key: its column with the id of such a row. Grants select and '
'creates the row policy member_reads.';
