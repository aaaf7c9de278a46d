-- core.our_rights: rights that an administrator has granted to other roles are left out, because the installation does
-- not manage them.
create or replace function core.our_rights()
returns table (class text, oid oid, part integer, text text)
language sql
stable parallel safe security invoker
rows 2000
set search_path = pg_catalog, pg_temp
as $function$
    with role as materialized (
        select * from core.our_roles()
    ),

    held (class, oid, part, acl) as (
        select 'database', d.oid, 0, coalesce(d.datacl, acldefault('d', d.datdba))
        from pg_database as d
        where d.datname = current_database()
        union all
        select 'schema', n.oid, 0, coalesce(n.nspacl, acldefault('n', n.nspowner))
        from pg_namespace as n
        union all
        select 'function', p.oid, 0, coalesce(p.proacl, acldefault('f', p.proowner))
        from pg_proc as p
        inner join core.our_schemas() as n on p.pronamespace = n.oid
        union all
        select
            'relation', c.oid, 0,
            coalesce(c.relacl, acldefault(case c.relkind when 'S' then 's' else 'r' end::"char", c.relowner))
        from pg_class as c
        inner join core.our_schemas() as n on c.relnamespace = n.oid
        union all
        select 'relation', a.attrelid, a.attnum, a.attacl
        from pg_attribute as a
        where a.attacl is not null and not a.attisdropped
    ),

    -- Most objects have the same rights as others, so each list of rights is read once.
    listed (acl, text) as (
        select h.acl, (
            select string_agg(format('%s: %s', g.name, g.rights), '; ' order by g.name)
            from (
                select r.name, string_agg(e.privilege_type, ' ' order by e.privilege_type collate core.c_utf8) as rights
                from aclexplode(h.acl) as e
                inner join role as r on e.grantee = r.oid
                -- Servers before 17 do not know this right.
                where e.privilege_type <> 'MAINTAIN'
                group by r.name
            ) as g
        )
        from (select distinct d.acl from held as d) as h
    )

    select h.class, h.oid, h.part, l.text
    from held as h
    inner join listed as l on h.acl = l.acl;
$function$;
comment on function core.our_rights() is
'Lists the rights of public and of the roles of Quartermaster. Returns for each object: its class (database, schema, '
'function or relation), its oid, the number of the column (0: the whole object), and the rights of each role (null: '
'none).';
