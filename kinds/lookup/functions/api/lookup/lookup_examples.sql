-- api.lookup_examples: the examples include names of retired rows, because these names compete with the names of active
-- rows.
create or replace function api.lookup_examples(lookup text, queries jsonb, query_vectors text[] default null)
returns table (number integer, id text, label text, features real[], score real)
language plpgsql
stable parallel unsafe security definer
rows 1000
set search_path = pg_catalog, pg_temp
as $function$
declare
    v_table_id constant integer := lookup.require_table(lookup_examples.lookup);
    v_score real[];
    v_names text[];
    v_places lookup.places;
begin
    select c.score, c.features
    into v_score, v_names
    from search.coefficients('lookup', lookup.profiles_of(lookup_examples.lookup)) as c;
    v_places := lookup.places_of(v_names);
    return query
    select
        q.position::integer,
        r.key,
        lookup.answer_key(c.label, f.features, v_places),
        f.features,
        f.odds::real
    from jsonb_array_elements(lookup_examples.queries) with ordinality as q (query, position)
    cross join lateral search.search(
        'lookup',
        q.query ->> 'query',
        lookup_examples.query_vectors[q.position]::ext.vector,
        0,
        30,
        30,
        0,
        '{1, 1, 1}',
        'learned',
        jsonb_build_object(
            'table', v_table_id,
            'language', q.query -> 'language',
            'properties', q.query -> 'properties',
            'active_only', false
        ),
        v_score
    ) as f
    inner join search.card as c on c.id = f.card_id
    inner join lookup.lookup_name as n on n.id = c.ref
    inner join lookup.lookup_row as r on r.id = n.row_id;
end
$function$;
comment on function api.lookup_examples(text, jsonb, text[]) is
'Collects training data for the learned score: for each query, the rows to which the query may refer, and the features '
'of these rows. Arguments: lookup: name of the lookup table; queries: JSON array of {query, language, properties}; '
'query_vectors: vector of each query, as [0.1,...] (null: the query has no vector). Returns for each such row: the '
'number of the query (from 1); the id of the row; the key of the answer (lookup.answer_key); the features of the row, '
'in the order of feature_names; and the score of the row without vectors. Raises QM404 unsupported_table.';
grant execute on function api.lookup_examples to qm_operator;
