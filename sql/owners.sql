-- Makes qm_owner the owner of its objects again, and makes foreign keys work again. Only the login may do both;
-- sql/mend.sql restores other changes, as qm_owner. The file changes only objects in our schemas that the last
-- installation has recorded.
do $do$
declare
    v_schemas constant text[] := string_to_array(current_setting('qm.schemas'), ',');
    v_recorded json;
    v_statement text;
begin
    if to_regclass('core.kind_folder') is null or to_regclass('core.installed_object') is null then
        return; -- nothing is recorded yet
    end if;
    if exists (select from pg_namespace as n where n.nspname = 'core' and n.nspowner <> 'qm_owner'::regrole) then
        alter schema core owner to qm_owner;
    end if;
    if exists (
        select from pg_class as c where c.oid = to_regclass('core.installed_object') and c.relowner <> 'qm_owner'::regrole
    ) then
        alter table core.installed_object owner to qm_owner;
    end if;
    v_recorded := pg_temp.ask_owner('select o.kind, o.name from core.installed_object as o');
    for v_statement in
        with recorded as (
            select r.kind, r.name
            from json_to_recordset(v_recorded) as r (kind text, name text)
        ),

        ours as (
            select n.oid, n.nspname, n.nspowner
            from pg_namespace as n
            where n.nspname = any(v_schemas)
        ),

        relation as (
            select c.oid, c.relowner, c.relkind, c.relispartition, format('%I.%I', n.nspname, c.relname) as name
            from pg_class as c
            inner join ours as n on n.oid = c.relnamespace
        )

        select o.statement
        from (
            select 1 as place, 'schema' as kind, n.nspname::text as name, format('alter schema %I owner to qm_owner', n.nspname) as statement
            from ours as n
            where n.nspowner <> 'qm_owner'::regrole
            union all
            select 2, k.kind, r.name, format('alter %s %s owner to qm_owner', k.kind, r.name)
            from relation as r
            cross join lateral (
                select case r.relkind when 'v' then 'view' when 'm' then 'materialized view' when 'S' then 'sequence' else 'table' end
            ) as k (kind)
            where
                r.relkind in ('r', 'p', 'v', 'm', 'S') and r.relowner <> 'qm_owner'::regrole and not r.relispartition
                -- The sequence of a column belongs to the owner of its table.
                and not exists (
                    select from pg_depend as d
                    where d.classid = 'pg_class'::regclass and d.objid = r.oid and d.deptype in ('a', 'i') and r.relkind = 'S'
                )
            union all
            select 3, 'table', p.name, format('alter table %s owner to qm_owner', r.name)
            from relation as r
            inner join relation as p on p.oid = pg_partition_root(r.oid)
            where r.relispartition and r.relkind in ('r', 'p') and r.relowner <> 'qm_owner'::regrole
            union all
            select 4, 'type', format('%I.%I', n.nspname, t.typname), format('alter type %I.%I owner to qm_owner', n.nspname, t.typname)
            from pg_type as t
            inner join ours as n on n.oid = t.typnamespace
            left join pg_class as c on c.oid = t.typrelid
            where (t.typtype in ('d', 'e', 'r') or c.relkind = 'c') and t.typowner <> 'qm_owner'::regrole
            union all
            select 5, 'function', p.oid::regprocedure::text, format('alter routine %s owner to qm_owner', p.oid::regprocedure)
            from pg_proc as p
            inner join ours as n on n.oid = p.pronamespace
            where p.proowner not in ('qm_owner'::regrole, 'qm_reader'::regrole)
            union all
            select distinct 6, 'table', r.name, format('alter table %s enable trigger all', r.name)
            from relation as r
            inner join pg_trigger as t on t.tgrelid = r.oid
            where t.tgisinternal and t.tgenabled <> 'O'
        ) as o
        inner join recorded as r on r.kind = o.kind and r.name = o.name collate "C"
        order by o.place, o.statement
    loop
        execute v_statement;
    end loop;
end
$do$;
