-- core.list_objects: the names and states of the objects do not depend on the database, its administrator or its
-- server, so they are the same after a dump and a restore. Objects that the running service creates and drops are left
-- out: partitions, and the indexes for models and kinds (search.missing_indexes).
-- Reads: the system catalog, core.kind_folder.
create or replace function core.list_objects()
returns table (kind text, name text, state text, remedy text, place integer)
language sql
stable parallel safe security invoker
set search_path = pg_catalog, pg_temp
as $function$
    -- Each is read once, although many objects are found by it.
    with role as materialized (
        select * from core.our_roles()
    ),

    ours as materialized (
        select * from core.our_schemas()
    ),

    relation as materialized (
        select * from core.our_relations()
    ),

    rights as materialized (
        select * from core.our_rights()
    ),

    attribute as materialized (
        select * from core.our_columns()
    ),

    object (kind, name, state, remedy, place) as (
        select 'role', r.rolname::text, f.flags, null, 1
        from pg_roles as r
        inner join role as o on r.oid = o.oid
        cross join lateral concat_ws(
            ' ',
            case when not r.rolcanlogin then 'no' end || 'login',
            case when not r.rolsuper then 'no' end || 'superuser',
            case when not r.rolbypassrls then 'no' end || 'bypassrls',
            case when not r.rolinherit then 'no' end || 'inherit'
        ) as f (flags)
        union all
        select distinct 'membership', format('%s in %s', g.name, m.name), '', null, 1
        from pg_auth_members as a
        inner join role as g on a.member = g.oid
        inner join role as m on a.roleid = m.oid
        union all
        select 'database', 'search_path', s.setting, null, 1
        from pg_db_role_setting as c
        inner join pg_database as d on c.setdatabase = d.oid
        cross join unnest(c.setconfig) as s (setting)
        where d.datname = current_database() and c.setrole = 0 and s.setting like 'search\_path=%'
        union all
        select 'database', 'rights', a.text, null, 1
        from rights as a
        where a.class = 'database'
        union all
        select 'extension', e.extname, 'in schema: ' || n.nspname, null, 1
        from pg_extension as e
        inner join pg_namespace as n on e.extnamespace = n.oid
        where e.extname = any('{vector,pg_trgm,unaccent}')
        union all
        select 'schema', n.name, n.owner, null, 2
        from ours as n
        union all
        select
            k.kind, r.name, concat_ws(' ', r.owner, r.view), null, 3
        from relation as r
        cross join lateral (
            select case r.relkind
                when 'v' then 'view' when 'm' then 'materialized view' when 'S' then 'sequence' else 'table'
            end
        ) as k (kind)
        union all
        select 'type', format('%I.%I', n.name, t.typname), t.typowner::regrole::text, null, 3
        from pg_type as t
        inner join ours as n on t.typnamespace = n.oid
        left join pg_class as c on t.typrelid = c.oid
        where t.typtype in ('d', 'e', 'r') or c.relkind = 'c'
        union all
        select
            'function', p.oid::regprocedure::text,
            concat_ws(' ', case when p.prokind <> 'a' then pg_get_functiondef(p.oid) end, p.proowner::regrole, a.text),
            null, 4
        from pg_proc as p
        inner join ours as n on p.pronamespace = n.oid
        inner join rights as a on a.class = 'function' and p.oid = a.oid
        union all
        select 'rights on', n.name, coalesce(a.text, ''), null, 5
        from rights as a
        inner join ours as n on a.oid = n.oid
        where a.class = 'schema'
        union all
        select 'rights on', concat_ws('.', r.name, quote_ident(c.attname)), coalesce(a.text, ''), null, 5
        from rights as a
        inner join relation as r on a.oid = r.oid
        left join pg_attribute as c on a.oid = c.attrelid and a.part = c.attnum and a.part > 0
        where a.class = 'relation'
        union all
        select
            'column', c.name,
            concat_ws(' ', c.type, nullif(c.attidentity, ''), nullif(c.attgenerated, ''), 'default ' || c.generated),
            null, 5
        from attribute as c
        union all
        select
            'default of', c.name, concat_ws(' ', c.attnotnull, c.expression),
            format(
                'alter table %s alter column %I %s, alter column %I %s not null',
                c.relation,
                c.attname,
                coalesce('set default ' || c.expression, 'drop default'),
                c.attname,
                case when c.attnotnull then 'set' else 'drop' end
            ),
            5
        from attribute as c
        where c.attidentity = '' and c.generated is null
        union all
        select
            'row security of', r.name, format('%s %s', r.relrowsecurity, r.relforcerowsecurity),
            format('alter table %s enable row level security, force row level security', r.name), 5
        from relation as r
        where r.relkind in ('r', 'p')
        union all
        select 'storage of', r.name, r.relpersistence::text, format('alter table %s set logged', r.name), 5
        from relation as r
        where r.relkind = 'r'
        union all
        select
            'foreign keys of', r.name, bool_and(t.tgenabled = 'O')::text, null, 5
        from relation as r
        inner join pg_trigger as t on r.oid = t.tgrelid
        where t.tgisinternal
        group by r.name
        union all
        select
            'constraint', format('%I on %s', k.conname, r.name), d.definition,
            format(
                'alter table %s drop constraint if exists %I, add constraint %2$I %s', r.name, k.conname, d.definition
            ),
            case when k.contype = 'f' then 8 else 6 end
        from pg_constraint as k
        inner join relation as r on k.conrelid = r.oid
        cross join lateral pg_get_constraintdef(k.oid) as d (definition)
        -- Whether a column may be null is told with the column, since older servers have no constraint for it.
        where k.contype in ('c', 'f', 'p', 'u', 'x')
        union all
        select
            'index', i.name, d.definition || case when not x.indisvalid then ' invalid' else '' end,
            format('drop index if exists %s; %s', i.name, replace(d.definition, ' ON ONLY ', ' ON ')), 7
        from pg_index as x
        inner join relation as r on x.indrelid = r.oid
        inner join pg_class as c on x.indexrelid = c.oid
        inner join ours as n on c.relnamespace = n.oid
        inner join pg_am as m on c.relam = m.oid
        cross join lateral format('%I.%I', n.name, c.relname) as i (name)
        cross join lateral pg_get_indexdef(x.indexrelid) as d (definition)
        where
            m.amname in ('btree', 'gin', 'gist', 'brin', 'hash')
            and c.relname not like 'card\_%\_label\_idx'
            and not exists (
                select from pg_constraint as k where k.conindid = x.indexrelid and k.contype in ('p', 'u', 'x')
            )
        union all
        select
            'trigger', format('%I on %s', t.tgname, r.name), pg_get_triggerdef(t.oid) || ' ' || t.tgenabled::text,
            format('alter table %s enable trigger %I', r.name, t.tgname), 9
        from pg_trigger as t
        inner join relation as r on t.tgrelid = r.oid
        where not t.tgisinternal
        union all
        select
            'policy', format('%I on %s', p.polname, r.name),
            concat_ws(
                ' ',
                p.polcmd,
                p.polpermissive,
                g.roles,
                pg_get_expr(p.polqual, p.polrelid),
                pg_get_expr(p.polwithcheck, p.polrelid)
            ),
            null, 9
        from pg_policy as p
        inner join relation as r on p.polrelid = r.oid
        cross join lateral (
            select string_agg(o.name, ' ' order by o.name) from role as o where o.oid = any(p.polroles)
        ) as g (roles)
        where p.polroles <@ array(select o.oid from role as o)
    )

    -- An extension that has been moved to another schema changes only itself.
    select
        o.kind,
        coalesce(regexp_replace(o.name, p.schemas, 'ext.', 'g'), o.name),
        md5(coalesce(regexp_replace(o.state, p.schemas, 'ext.', 'g'), o.state)),
        o.remedy,
        o.place
    from object as o
    cross join (
        -- Null if none has been moved: nothing is then searched for their names.
        select '\m(' || string_agg(distinct n.nspname, '|') || ')\.' as schemas
        from pg_extension as e
        inner join pg_namespace as n on e.extnamespace = n.oid
        where e.extname = any('{vector,pg_trgm,unaccent}') and n.nspname <> 'ext'
    ) as p;
$function$;
comment on function core.list_objects() is
'Lists the objects that an installation creates in the schemas of Quartermaster. Returns for each object: its kind, '
'its name and its state; the SQL with which qm_owner restores this state (null: the next installation restores it); '
'and the order in which this SQL is to be run.';
