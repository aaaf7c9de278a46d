-- api.search_lookups: an invalid query gets an error and no rows; the others are answered.
create or replace function api.search_lookups(
    lookup text,
    queries jsonb,
    k_final integer default 5,
    k_fuzzy integer default 30,
    active_only boolean default true,
    explain boolean default false,
    query_vectors text[] default null,
    k_sem integer default 30
)
returns table (number integer, rows jsonb, error jsonb, retired jsonb)
language plpgsql
stable parallel unsafe security definer
rows 50
set search_path = pg_catalog, pg_temp
set plan_cache_mode = force_generic_plan -- the plan is the same for every batch, and planning has a cost
as $function$
declare
    v_table_id constant integer := lookup.require_table(search_lookups.lookup);
begin
    perform core.require_between(
        'the number of candidates', search_lookups.k_sem, 1, 100, 'Ask for 1 to 100 candidates, or omit k_sem.'
    );
    perform lookup.require_batch(
        search_lookups.queries, 'queries', 'Send an array of strings, or of {query, language, properties, limit}.'
    );
    return query
    select
        q.position::integer,
        coalesce(a.rows, '[]'),
        lookup.told_problem(p.problem),
        a.retired
    from (
        select
            e.position,
            case jsonb_typeof(e.query)
                when 'string' then e.query #>> '{}'
                when 'object' then e.query ->> 'query'
            end as query,
            case jsonb_typeof(e.query) when 'object' then e.query ->> 'language' end as language,
            case jsonb_typeof(e.query) when 'object' then e.query ->> 'domain' end as domain,
            case jsonb_typeof(e.query) when 'object' then e.query -> 'properties' end as properties,
            case
                when jsonb_typeof(e.query -> 'strict') = 'boolean' then (e.query ->> 'strict')::boolean
                else false
            end as strict,
            case
                when jsonb_typeof(e.query -> 'threshold') = 'number'
                    then least(greatest((e.query ->> 'threshold')::numeric, -1), 2)::real
            end as threshold,
            lookup.rows_wanted(e.query, search_lookups.k_final) as most
        from jsonb_array_elements(search_lookups.queries) with ordinality as e (query, position)
    ) as q
    cross join lateral (
        select lookup.query_problem(
            v_table_id, q.query, q.most, search_lookups.k_fuzzy, q.properties, q.threshold
        ) as problem
    ) as p
    left join lateral (
        select
            jsonb_agg(to_jsonb(x) order by x.rank) filter (where x.active or not search_lookups.active_only) as rows,
            jsonb_agg(
                jsonb_build_object('id', x.id, 'value', x.value) order by x.rank
            ) filter (where not x.active and search_lookups.active_only) as retired
        from lookup.answer(
            v_table_id,
            q.query,
            q.most,
            search_lookups.k_fuzzy,
            p_language => q.language,
            p_active_only => search_lookups.active_only,
            p_domain => q.domain,
            p_properties => q.properties,
            p_strict => q.strict,
            p_threshold => q.threshold,
            p_explain => search_lookups.explain,
            p_vector => search_lookups.query_vectors[q.position]::ext.vector,
            p_semantic => search_lookups.k_sem,
            p_tells_retired => true
        ) as x
        -- The condition is inside the subquery, so that PostgreSQL does not run an invalid query.
        where p.problem is null
    ) as a on true
    order by q.position;
end
$function$;
comment on function api.search_lookups(text, jsonb, integer, integer, boolean, boolean, text[], integer) is
'Answers a batch of queries to one lookup table, in the given order. Arguments: lookup: name of the lookup table; '
'queries: JSON array of strings or of {query, language, domain, properties, strict, threshold, limit}, with at most as '
'many elements as the setting lookup.max_batch allows; k_final, k_fuzzy, active_only and explain: as in search_lookup; '
'query_vectors: for tables with vectors, the vector of each query, as [0.1,...] (null: the database computes the '
'vector, if the database has an embedding model); k_sem: number of candidates to find by meaning. Returns for each '
'query: its number (from 1); the found rows, as JSON with the members that search_lookup returns; the error {slug, '
'message, hint} (null: no error); and the retired rows that the query names, as [{id, value}] (null: none). Raises '
'QM404 unsupported_table, QM413 batch_too_large, QM422 argument_invalid.';
alter function api.search_lookups owner to qm_reader;
grant execute on function api.search_lookups to qm_user;
