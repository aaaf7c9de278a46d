-- search.dense: the cards whose vectors are nearest to the query's, by HNSW over 16-bit vectors, ordered by the exact ones.
-- The scan goes on until enough visible cards are found (iterative scan), so that rights never starve the result.
-- Definer because vectors are under a policy of their own; visibility is the same predicate, stated here.
-- Raises: QM422 dimension_mismatch.
create or replace function search.dense(p_kind text, p_vector ext.vector, p_limit integer, p_ef_search integer)
returns table (card_id bigint, similarity real)
language plpgsql
volatile parallel unsafe security definer
rows 50
set search_path = pg_catalog, pg_temp
as $function$
declare
    -- Under narrow rights the scan ends when it has enough, whatever nearer cards it has not met: so it is asked for more.
    v_met constant integer := greatest(p_limit, 64);
    v_model search.model;
begin
    perform policy.require_principal();
    select * into v_model from search.model as m where m.active;
    if v_model.id is null or p_vector is null then
        return;
    end if;
    if ext.vector_dims(p_vector) <> v_model.dimension then
        perform core.fail(
            'dimension_mismatch',
            format('the query vector has %s dimensions, the model %s has %s', ext.vector_dims(p_vector), v_model.name, v_model.dimension)
        );
    end if;
    if p_limit < 1 then
        return;
    end if;
    perform set_config('hnsw.ef_search', greatest(p_ef_search, v_met)::text, true);
    perform set_config('hnsw.iterative_scan', 'relaxed_order', true);

    -- Plain placeholders: plpgsql_check does not follow numbered ones.
    return query execute format(
        'select n.card_id, (1 - n.distance)::real from ('
        '    select m.card_id, m.vector operator(ext.<=>) $1 as distance from ('
        '        select c.id as card_id, e.vector'
        '        from search.embedding as e'
        '        inner join search.card as c on c.text_hash = e.text_hash and c.kind = %L'
        '        where e.kind = %L and e.model_id = %s and policy.is_visible(c.rights_class, (select policy.visible_classes()))'
        '        order by e.vector::ext.halfvec(%s) operator(ext.<=>) $1::ext.halfvec limit $2'
        '    ) as m'
        ') as n order by n.distance, n.card_id limit $3', p_kind, p_kind, v_model.id, v_model.dimension
    ) using p_vector, v_met, p_limit;
end
$function$;
comment on function search.dense(text, ext.vector, integer, integer) is
'Cards by cosine similarity of the active model, nearest first. Arguments: kind, unit vector of the goal, how many, hnsw.ef_search. Approximate: recall grows with ef_search.';
