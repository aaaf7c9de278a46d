-- Revokes all rights on our schemas, tables and views from everybody, and drops their row policies and their triggers
-- that call our functions; sql/rls and sql/triggers create them again. Policies and rights of other roles are kept. The
-- owner may access every table, because the security definer functions of the owner decide who may do what;
-- sql/rls/audit.sql contains the exception. Only pg_dump reads a partition directly.
set constraints all immediate; -- a trigger with pending events cannot be dropped
do $do$
declare
    v_schema name;
    v_policy record;
    v_table record;
    v_schemas constant text [] := pg_catalog.string_to_array(pg_catalog.current_setting('qm.schemas'), ',');
    v_roles constant text [] := pg_catalog.string_to_array(pg_catalog.current_setting('qm.roles'), ',');
    v_others constant text := pg_catalog.array_to_string(pg_catalog.array_remove(v_roles, 'qm_owner'), ', ');
begin
    for v_schema in
        select n.nspname from pg_catalog.pg_namespace as n where n.nspowner = 'qm_owner'::regrole
    loop
        execute pg_catalog.format(
            'revoke all on schema %I from public, %s', v_schema, v_others
        );
        execute pg_catalog.format(
            'revoke all on all tables in schema %I from public, %s', v_schema, v_others
        );
    end loop;
    for v_policy in
        select
            p.polname,
            p.polrelid::regclass as on_table
        from pg_catalog.pg_policy as p
        inner join pg_catalog.pg_class as c on c.oid = p.polrelid
        inner join pg_catalog.pg_namespace as n on n.oid = c.relnamespace
        where
            n.nspowner = 'qm_owner'::regrole
            and (
                p.polroles <@ array(
                    select r.oid
                    from pg_catalog.pg_roles as r
                    where r.rolname = any(v_roles)
                )
                -- A role of ours that was renamed is no longer ours, but the policy is.
                or exists (
                    select from core.installed_object as o
                    where
                        o.kind = 'policy'
                        and o.name
                        = pg_catalog.format('%I on %I.%I', p.polname, n.nspname, c.relname) collate "C"
                )
            )
    loop
        execute pg_catalog.format('drop policy %I on %s', v_policy.polname, v_policy.on_table);
    end loop;
    perform pg_temp.drop_triggers();
    for v_table in
        select
            c.oid::regclass as name,
            case when c.relispartition then 'owner_reads' else 'owner_all' end as policy,
            case when c.relispartition then 'select' else 'all' end as command,
            not c.relforcerowsecurity and n.nspname = any(v_schemas) as is_unbound
        from pg_catalog.pg_class as c
        inner join pg_catalog.pg_namespace as n on n.oid = c.relnamespace
        where n.nspowner = 'qm_owner'::regrole and c.relkind in ('r', 'p')
    loop
        if v_table.is_unbound then
            execute pg_catalog.format('alter table %s force row level security', v_table.name);
        end if;
        execute pg_catalog.format(
            'create policy %s on %s for %s to qm_owner using (true)', v_table.policy, v_table.name, v_table.command
        );
    end loop;
end
$do$;
