-- api.rerank_lookup: rows that a search of the table does not find come last, ordered by trigram similarity.
create or replace function api.rerank_lookup(query text, candidates jsonb, lookup text default null)
returns table (id text, value text, score real, model text)
language plpgsql
stable parallel unsafe security definer
rows 20
set search_path = pg_catalog, pg_temp
as $function$
declare
    v_label constant text := left(lookup.normalize(left(rerank_lookup.query, 1000)), 400);
    v_table_id integer;
begin
    perform policy.require_principal();
    if jsonb_typeof(rerank_lookup.candidates) is distinct from 'array'
        or jsonb_array_length(rerank_lookup.candidates) > 100
    then
        perform core.fail(
            'argument_invalid',
            'the candidates must be a JSON array with at most 100 elements',
            null,
            'Send [{"id": "1", "value": "Betula pendula"}].'
        );
    end if;
    perform lookup.refuse_query(lookup.query_problem(null, rerank_lookup.query, 1, 1, null, null));
    if rerank_lookup.lookup is not null then
        v_table_id := lookup.require_table(rerank_lookup.lookup);
    end if;
    return query
    with given as materialized (
        select distinct on ((c.candidate ->> 'id') collate core.c_utf8)
            c.candidate ->> 'id' as id,
            c.candidate ->> 'value' as value,
            c.position,
            ext.similarity(left(lookup.normalize(left(c.candidate ->> 'value', 1000)), 400), v_label) as alike
        from jsonb_array_elements(rerank_lookup.candidates) with ordinality as c (candidate, position)
        order by (c.candidate ->> 'id') collate core.c_utf8, c.position
    ),

    found as materialized (
        select a.id, a.score
        from lookup.answer(v_table_id, rerank_lookup.query, 100, 100, p_active_only => false, p_threshold => 0) as a
        where v_table_id is not null
    ),

    scored as (
        select
            g.*,
            f.id is not null as is_found,
            -- Rows that the search did not find rank below all rows that it found.
            coalesce(f.score, g.alike * coalesce(min(f.score) over (), 1))::real as score,
            case when v_table_id is null then 'trigram' else 'learned' end as model
        from given as g
        left join found as f on f.id = g.id
    )

    select s.id, s.value, s.score, s.model
    from scored as s
    order by s.is_found desc, s.score desc, s.position;
end
$function$;
comment on function api.rerank_lookup(text, jsonb, text) is
'Orders the given rows by how well they fit a query, without a cross-encoder. Arguments: query: text to look up; '
'candidates: JSON array of {id, value}, with at most 100 elements; lookup: name of the lookup table that contains the '
'rows (null: the rows belong to no lookup table). Returns the candidates, best first, each id only once. Each '
'candidate has a score from 0 to 1, and the name of the method that computed this score: learned (the learned score of '
'the table) or trigram. Raises QM404 unsupported_table, QM413 query_too_long, QM422 query_empty, argument_invalid.';
alter function api.rerank_lookup owner to qm_reader;
grant execute on function api.rerank_lookup to qm_user;
