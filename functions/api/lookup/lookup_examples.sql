-- api.lookup_examples: what the learned score learns from: every name that a query may mean, with its features.
-- Definer because names lie in postings that nobody else reads; executable by operators.
-- Raises: QM404 unsupported_table.
create or replace function api.lookup_examples(lookup text, queries jsonb, query_vectors text[] default null)
returns table (number integer, id text, label text, features real[], score real)
language plpgsql
stable parallel unsafe security definer
rows 1000
set search_path = pg_catalog, pg_temp
as $function$
#variable_conflict use_column
declare
    v_table_id integer;
    v_intercept real;
    v_weights ext.vector;
begin
    perform policy.require_principal();
    v_table_id := lookup.require_table(lookup_examples.lookup);
    select c.intercept, c.weights::ext.vector into v_intercept, v_weights from lookup.coefficients(lookup_examples.lookup) as c;
    return query
    select
        q.position::integer,
        f.key,
        f.label,
        f.features,
        (v_intercept - (f.features::ext.vector operator(ext.<#>) v_weights))::real
    from jsonb_array_elements(lookup_examples.queries) with ordinality as q (query, position)
    cross join lateral lookup.features(
        v_table_id, q.query ->> 'query', 30, q.query ->> 'language', true, null, q.query -> 'properties',
        lookup_examples.query_vectors[q.position]::ext.vector
    ) as f;
end
$function$;
comment on function api.lookup_examples(text, jsonb, text[]) is
'Arguments: lookup table; JSON array of {query, language, properties}; vector of each, as [0.1,...] or null. Returns number of the query from 1, id of the row, the name normalised, its features in the order of lookup.feature_names(), and its score without vectors.';
grant execute on function api.lookup_examples to qm_operator;
