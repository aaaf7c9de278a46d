-- api.list_members: the owner may be the name of a class, without its module.
create or replace function api.list_members(modules text[], owner text, folder text default null)
returns table (
    name text, path text, kind text, signature text, parameters text[], file text, line integer, deprecated text
)
language sql
stable parallel safe security definer
rows 100
set search_path = pg_catalog, pg_temp
as $function$
    select policy.require_principal();
    with library as materialized (
        select distinct on (d.name) d.id
        from knowledge.distribution as d
        where d.modules && list_members.modules
            and exists (
                select from knowledge.environment_distribution as h
                inner join knowledge.environment as e on e.id = h.environment_id
                where h.distribution_id = d.id and (list_members.folder is null or e.folder = list_members.folder)
            )
        order by d.name, d.indexed_at desc
    ),

    -- By library: a join would read the symbols of all libraries.
    every as materialized (
        select e.path, e.id
        from library as l
        cross join lateral (
            select s.path, s.id
            from knowledge.symbol as s
            where s.distribution_id = l.id
            union all
            select p.path, p.symbol_id
            from knowledge.symbol_path as p
            where p.distribution_id = l.id
            offset 0
        ) as e
    ),

    wanted as materialized (
        select e.path, e.path = list_members.owner as is_exact
        from every as e
        where e.path = list_members.owner or right(e.path, length(list_members.owner) + 1) = '.' || list_members.owner
    ),

    chosen as materialized (
        select w.path from wanted as w where w.is_exact or not exists (select from wanted as x where x.is_exact)
    ),

    there as materialized (
        select e.id, e.path, m.name
        from every as e
        cross join lateral (
            select regexp_replace(e.path, '^.*\.', '') as name, regexp_replace(e.path, '\.[^.]*$', '') as owner
        ) as m
        where m.owner in (select c.path from chosen as c) or e.path in (select c.path from chosen as c)
    )

    select distinct on (t.name)
        t.name,
        t.path,
        s.kind,
        s.signature,
        s.parameters,
        s.file,
        s.line,
        nullif(s.deprecated, '')
    from there as t
    -- One look at the index for each: a join would read all symbols.
    cross join lateral (select x.* from knowledge.symbol as x where x.id = t.id limit 1) as s
    order by t.name, s.is_public desc, length(t.path), t.path;
$function$;
comment on function api.list_members(text[], text, text) is
'Lists the members of an object in an indexed library. Arguments: modules: modules that the program imports; owner: '
'path or name of a module, class or function; folder: package folder whose version of the library is used, if several '
'versions are indexed. Returns one row for the object itself, and one row for each of its members. deprecated: the '
'deprecation notice; null if the member is not deprecated. Raises QM403 principal_unknown. Can be null: deprecated.';
alter function api.list_members owner to qm_reader;
grant execute on function api.list_members to qm_user;
