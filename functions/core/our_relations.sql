-- core.our_relations: partitions are left out, and so are the sequences of identity columns, which belong to their
-- tables.
create or replace function core.our_relations()
returns table (
    oid oid, name text, owner text, relkind "char", relpersistence "char", relrowsecurity boolean,
    relforcerowsecurity boolean, view text
)
language sql
stable parallel safe security invoker
rows 200
set search_path = pg_catalog, pg_temp
as $function$
    select
        c.oid, format('%I.%I', n.name, c.relname) as name, c.relowner::regrole::text as owner, c.relkind,
        c.relpersistence, c.relrowsecurity, c.relforcerowsecurity, pg_get_viewdef(c.oid) as view
    from pg_class as c
    inner join core.our_schemas() as n on c.relnamespace = n.oid
    where
        c.relkind in ('r', 'p', 'v', 'm', 'S')
        and not c.relispartition
        -- The sequence of an identity column belongs to its table.
        and not exists (
            select from pg_depend as d
            where d.classid = 'pg_class'::regclass and d.objid = c.oid and d.deptype = 'i' and c.relkind = 'S'
        );
$function$;
comment on function core.our_relations() is
'Lists the tables, views and sequences in the schemas of Quartermaster. Returns for each of them: its oid, its '
'qualified name and its owner; its kind and its persistence, as in pg_class; whether row security is enabled and '
'forced; and the definition, if it is a view.';
