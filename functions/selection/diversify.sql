-- selection.diversify: the few that are shown, chosen one after the other by maximal marginal relevance:
-- (1 - lambda) * value - lambda * (largest similarity with one chosen before).
-- Source: Carbonell and Goldstein, The use of MMR (SIGIR 1998); their lambda is 1 - lambda here, so that 0 is relevance only.
-- Similarity is the cosine of the active model's vectors; cards without one are alike when their labels are equal.
-- Within a budget only cards that still fit are choices: the sum never exceeds it, and a card that would fit is left out only for a better one.
-- Without a budget the first 32 candidates are choices, or four times as many as are shown: the rest would cost more than it brings.
-- Definer because vectors are read by the engine only; cards that the caller may not see are no choices.
create or replace function selection.diversify(
    p_candidates selection.candidate[], p_lambda real, p_expose integer, p_budget integer default null
)
returns table (card_id bigint, rank integer, redundancy real, nearest bigint)
language plpgsql
stable parallel safe security definer
rows 10
set search_path = pg_catalog, pg_temp
as $function$
#variable_conflict use_column
declare
    v_principal_id constant bigint := policy.require_principal();
    v_model_id constant integer := (select m.id from search.model as m where m.active and p_lambda > 0);
    v_left integer := p_budget;
    v_ids bigint[];
    v_values real[];
    v_tokens integer[];
    v_labels text[];
    v_vectors ext.vector[];
    v_redundancies real[];
    v_nearest bigint[];
    v_choice integer;
    v_vector ext.vector;
    v_label text;
begin
    select array_agg(c.id), array_agg(f.value), array_agg(f.tokens), array_agg(c.label), array_agg(e.vector),
        array_agg(0::real), array_agg(null::bigint)
    into v_ids, v_values, v_tokens, v_labels, v_vectors, v_redundancies, v_nearest
    from (
        select p.card_id, p.value, p.tokens
        from unnest(p_candidates) as p
        order by p.value desc, p.card_id
        limit case when p_budget is null then greatest(32, 4 * p_expose) end
    ) as f
    inner join search.card as c on c.id = f.card_id and policy.is_visible(c.kind, c.ref, v_principal_id)
    left join lateral (
        select v.vector
        from search.embedding as v
        where v.model_id = v_model_id and v.text_hash = c.text_hash and v.kind = c.kind
        limit 1
    ) as e on true;

    for v_rank in 1..least(p_expose, cardinality(v_ids)) loop
        select i into v_choice
        from generate_subscripts(v_ids, 1) as i
        where v_values[i] is not null and (v_left is null or v_tokens[i] <= v_left)
        order by (1 - p_lambda) * v_values[i] - p_lambda * v_redundancies[i] desc, v_values[i] desc, v_ids[i]
        limit 1;
        exit when v_choice is null;

        card_id := v_ids[v_choice];
        rank := v_rank;
        redundancy := v_redundancies[v_choice];
        nearest := v_nearest[v_choice];
        return next;

        v_left := v_left - v_tokens[v_choice];
        v_values[v_choice] := null;
        if p_lambda > 0 then
            v_vector := v_vectors[v_choice];
            v_label := v_labels[v_choice];
            select
                array_agg(greatest(s.redundancy, s.similarity) order by s.position),
                array_agg(case when s.similarity > s.redundancy then v_ids[v_choice] else s.nearest end order by s.position)
            into v_redundancies, v_nearest
            from (
                select
                    x.position,
                    x.redundancy,
                    x.nearest,
                    coalesce(1 - (x.vector operator(ext.<=>) v_vector), (x.label = v_label)::integer)::real as similarity
                from unnest(v_redundancies, v_nearest, v_vectors, v_labels)
                    with ordinality as x (redundancy, nearest, vector, label, position)
            ) as s;
        end if;
    end loop;
end
$function$;
comment on function selection.diversify(selection.candidate[], real, integer, integer) is
'Arguments: candidates; lambda (0 relevance only, 1 novelty only); how many; how many tokens together, or null. Returns cards in the order in which they are shown, their largest similarity with one shown before, and which one that is.';
