create or replace function api.list_libraries()
returns table (
    name text, version text, modules text[], summary text, objects integer, cards bigint, waiting bigint, unread text[],
    folders text[], indexed_at timestamptz
)
language sql
stable parallel unsafe security definer
rows 100
set search_path = pg_catalog, pg_temp
as $function$
    select policy.require_principal();
    select
        d.name,
        d.version,
        d.modules,
        d.summary,
        d.objects,
        n.cards,
        n.waiting,
        d.unread,
        f.folders,
        d.indexed_at
    from knowledge.distribution as d
    inner join lateral (
        select array_agg(e.folder order by e.folder) as folders
        from knowledge.environment_distribution as h
        inner join knowledge.environment as e on e.id = h.environment_id
        where h.distribution_id = d.id
    ) as f on f.folders is not null
    cross join lateral (
        select
            count(c.id) as cards,
            count(c.id) filter (
                -- The first is computed once.
                where (select search.is_embedded('symbol') is not true) and not knowledge.has_vector(c.text_hash)
            ) as waiting
        from knowledge.symbol as s
        inner join search.card as c on c.kind = 'symbol' and c.ref = s.id
        where s.distribution_id = d.id
    ) as n
    order by d.name, d.version;
$function$;
comment on function api.list_libraries() is
'Lists the libraries that can be looked up. Returns for each library: its name, version and modules; the number of its '
'objects; the number of objects that a search can find (cards); the number of these objects that have no vector yet '
'(waiting); what could not be read in the library; and the package folders that contain the library.';
alter function api.list_libraries owner to qm_reader;
grant execute on function api.list_libraries to qm_user;
