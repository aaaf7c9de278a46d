-- api.reconcile_lookups: an invalid query gets an error and no rows; the others are answered.
create or replace function api.reconcile_lookups(
    queries jsonb, lookup text default null, k_final integer default 10, query_vectors text[] default null
)
returns table (number integer, rows jsonb, error jsonb, retired jsonb)
language plpgsql
stable parallel unsafe security definer
rows 50
set search_path = pg_catalog, pg_temp
set plan_cache_mode = force_generic_plan -- the plan is the same for every batch, and planning has a cost
as $function$
declare
    v_table_ids constant integer[] := lookup.visible_tables(reconcile_lookups.lookup);
begin
    perform lookup.require_batch(
        reconcile_lookups.queries, 'queries', 'Send an array of {query, lookups, properties, limit}.'
    );
    return query
    select
        q.position::integer,
        coalesce(a.rows, '[]'),
        lookup.told_problem(p.problem),
        a.retired
    from jsonb_array_elements(reconcile_lookups.queries) with ordinality as q (query, position)
    cross join lateral (
        select
            case
                when jsonb_typeof(q.query -> 'lookups') is distinct from 'array' then v_table_ids
                else array(
                    select t.id
                    from lookup.lookup_table as t
                    where t.id = any(v_table_ids) and t.name in (select jsonb_array_elements_text(q.query -> 'lookups'))
                )
            end as table_ids,
            lookup.rows_wanted(q.query, reconcile_lookups.k_final) as most
    ) as s
    cross join lateral (select lookup.reconcile_problem(s.table_ids, q.query, s.most) as problem) as p
    -- The condition is inside the subquery, so that PostgreSQL does not run an invalid query.
    cross join lateral (
        select
            jsonb_agg(to_jsonb(x) - 'active' order by x.rank) filter (where x.active) as rows,
            jsonb_agg(jsonb_build_object('lookup', x.lookup, 'id', x.id, 'value', x.value) order by x.rank)
            filter (where not x.active) as retired
        from lookup.reconcile(
            s.table_ids, q.query, s.most, reconcile_lookups.query_vectors[q.position]::ext.vector
        ) as x
        where p.problem is null
    ) as a
    order by q.position;
end
$function$;
comment on function api.reconcile_lookups(jsonb, text, integer, text[]) is
'Answers a batch of queries of the reconciliation API, in the given order, from one lookup table or from all tables '
'that the caller may see. Arguments: queries: JSON array of {query, row: {lookup, id}, lookups: [name], language, '
'properties, strict, required: [{name: values}], excluded: {name: values}, threshold, near, limit}, with at most as '
'many elements as the setting lookup.max_batch allows; lookup: name of a lookup table (null: all lookup tables); '
'k_final: maximum number of rows for each query (1 to 100); query_vectors: for tables with vectors, the vector of each '
'query in the active model, as [0.1,...] (null: the database computes the vector, if the database has an embedding '
'model). Returns for each query: its number (from 1); the found rows, as a JSON array of {rank, lookup, id, value, '
'name, description, score (0 to 1), match (true for at most one row), language, scores}; the error {slug, message, '
'hint} (null: no error); and the retired rows that the query names, as [{lookup, id, value}] (null: none). Raises '
'QM404 unsupported_table, QM413 batch_too_large, QM422 argument_invalid.';
alter function api.reconcile_lookups owner to qm_reader;
grant execute on function api.reconcile_lookups to qm_user;
