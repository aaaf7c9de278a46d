"""A database's catalogue as text: two databases that print the same are the same to their users."""

from __future__ import annotations

import psycopg

# Objects of extensions are the extension's; their presence is one line.
_OURS = """
select oid, nspname from pg_namespace
where nspowner = 'qm_owner'::regrole or nspname = 'ext'
"""
_QUERY = f"""
with ours as ({_OURS}),

extension_member as (select objid, classid from pg_depend where deptype = 'e'),

relation as (
    select c.*
    from pg_class as c
    inner join ours as n on n.oid = c.relnamespace
    where c.relkind in ('r', 'p', 'v', 'S')
        and not exists (select from extension_member as m where m.objid = c.oid)
),

line (what) as (
    select format('schema %s owner %s acl %s comment %s', n.nspname, pg_get_userbyid(s.nspowner),
        coalesce(s.nspacl, acldefault('n', s.nspowner)), obj_description(n.oid, 'pg_namespace'))
    from ours as n
    inner join pg_namespace as s on s.oid = n.oid
    union all
    select format('extension %s %s', extname, extversion) from pg_extension
    union all
    select format('function %s owner %s acl %s comment %s', pg_get_functiondef(p.oid),
        pg_get_userbyid(p.proowner), (select array_agg(a::text order by a::text)
            from unnest(coalesce(p.proacl, acldefault('f', p.proowner))) as a),
        obj_description(p.oid, 'pg_proc'))
    from pg_proc as p
    inner join ours as n on n.oid = p.pronamespace
    where not exists (select from extension_member as m where m.objid = p.oid) and p.prokind <> 'a'
    union all
    select format('aggregate %s by %s in %s from %s comment %s', p.oid::regprocedure, a.aggtransfn,
        a.aggtranstype::regtype, a.agginitval, obj_description(p.oid, 'pg_proc'))
    from pg_proc as p
    inner join ours as n on n.oid = p.pronamespace
    inner join pg_aggregate as a on a.aggfnoid = p.oid
    where not exists (select from extension_member as m where m.objid = p.oid)
    union all
    select format('relation %s kind %s owner %s acl %s security %s %s comment %s', c.oid::regclass,
        c.relkind, pg_get_userbyid(c.relowner),
        (select array_agg(a::text order by a::text) from unnest(
            coalesce(
                c.relacl,
                acldefault(case c.relkind when 'S' then 's' else 'r' end::"char", c.relowner)
            )
        ) as a),
        c.relrowsecurity, c.relforcerowsecurity, obj_description(c.oid, 'pg_class'))
    from relation as c
    union all
    select format('column %s.%s %s collate %s not null %s default %s%s identity %s storage %s'
        ' acl %s comment %s',
        c.oid::regclass, a.attname, format_type(a.atttypid, a.atttypmod),
        nullif(a.attcollation, 0)::regcollation, a.attnotnull,
        pg_get_expr(d.adbin, d.adrelid), a.attgenerated, a.attidentity, a.attstorage,
        (select array_agg(x::text order by x::text) from unnest(a.attacl) as x),
        col_description(c.oid, a.attnum))
    from relation as c
    inner join pg_attribute as a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
    left join pg_attrdef as d on d.adrelid = c.oid and d.adnum = a.attnum
    union all
    select format('constraint %s %s %s', k.conrelid::regclass, k.conname,
        pg_get_constraintdef(k.oid))
    from pg_constraint as k
    inner join relation as c on c.oid = k.conrelid
    union all
    select pg_get_indexdef(i.indexrelid)
    from pg_index as i
    inner join relation as c on c.oid = i.indrelid
    union all
    select format('view %s %s %s', c.oid::regclass, c.reloptions, pg_get_viewdef(c.oid))
    from relation as c
    where c.relkind = 'v'
    union all
    select format('type %s %s owner %s acl %s comment %s attributes %s labels %s', t.oid::regtype,
        t.typtype, pg_get_userbyid(t.typowner), t.typacl,
        coalesce(obj_description(t.oid, 'pg_type'), obj_description(t.typrelid, 'pg_class')),
        (select array_agg(format('%s %s', a.attname, format_type(a.atttypid, a.atttypmod))
            order by a.attnum)
            from pg_attribute as a where a.attrelid = t.typrelid and not a.attisdropped),
        (select array_agg(e.enumlabel order by e.enumsortorder)
            from pg_enum as e where e.enumtypid = t.oid))
    from pg_type as t
    inner join ours as n on n.oid = t.typnamespace
    left join pg_class as c on c.oid = t.typrelid
    where (c.relkind is null or c.relkind = 'c') and t.typelem = 0
        and not exists (select from extension_member as m where m.objid = t.oid)
    union all
    select format('%s %s', o.kind, pg_describe_object(o.classid, o.oid, 0))
    from (
        select 'cast' as kind, tableoid as classid, oid from pg_cast where oid >= 16384
        union all
        select 'operator', tableoid, oid from pg_operator where oid >= 16384
        union all
        select 'operator class', tableoid, oid from pg_opclass where oid >= 16384
        union all
        select 'statistics', tableoid, oid from pg_statistic_ext
        union all
        select 'event trigger', tableoid, oid from pg_event_trigger
        union all
        select 'rule', r.tableoid, r.oid
        from pg_rewrite as r
        inner join relation as c on c.oid = r.ev_class
        where c.relkind <> 'v'
    ) as o
    where not exists (
        select from extension_member as m where m.objid = o.oid and m.classid = o.classid
    )
    union all
    select format('settings of %s: %s', nullif(s.setrole, 0)::regrole, s.setconfig)
    from pg_db_role_setting as s
    inner join pg_database as d on d.oid = s.setdatabase
    where d.datname = current_database()
    union all
    select format('policy %s %s %s %s to %s using %s check %s', p.polrelid::regclass, p.polname,
        p.polcmd, p.polpermissive,
        (select array_agg(r::regrole::text order by r::regrole::text)
            from unnest(p.polroles) as r),
        pg_get_expr(p.polqual, p.polrelid), pg_get_expr(p.polwithcheck, p.polrelid))
    from pg_policy as p
    union all
    select pg_get_triggerdef(t.oid)
    from pg_trigger as t
    inner join relation as c on c.oid = t.tgrelid
    where not t.tgisinternal
    union all
    select format('text search %s comment %s %s', c.cfgname, obj_description(c.oid, 'pg_ts_config'),
        (select array_agg(format('%s %s %s', m.maptokentype, m.mapseqno, m.mapdict::regdictionary)
            order by m.maptokentype, m.mapseqno) from pg_ts_config_map as m where m.mapcfg = c.oid))
    from pg_ts_config as c
    inner join ours as n on n.oid = c.cfgnamespace
    union all
    select format('default privileges %s %s %s', pg_get_userbyid(defaclrole), defaclobjtype,
        defaclacl)
    from pg_default_acl
)

select what from line order by what collate "C"
"""


def snapshot(
    dsn: str, connection: psycopg.Connection[tuple[object, ...]] | None = None
) -> list[str]:
    """Returns everything of our schemas that a release decides, one line an object, sorted.

    Args:
        dsn: connection string of the database.
        connection: looks through this one instead, so that an open transaction is seen.
    """
    if connection is not None:
        return [str(row[0]) for row in connection.execute(_QUERY)]
    with psycopg.connect(dsn) as fresh:
        fresh.execute("set search_path = pg_catalog")
        return [str(row[0]) for row in fresh.execute(_QUERY)]
