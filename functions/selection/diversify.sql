-- selection.diversify: cards are chosen one after the other by maximal marginal relevance. The next card is the one
-- with the highest value * (1 - lambda * s), where s is its largest similarity with a card chosen before. After
-- p_diverse cards, the others follow in the order of their value. With lambda 0 only the value counts.
-- Source: Carbonell and Goldstein, The use of MMR (SIGIR 1998), who subtract instead of multiplying. Here, the values
-- are probabilities, and each is much lower than the one before. With a difference, similarity alone would determine
-- the order of all cards after the first (measured: docs/selection.md).
-- Similarity is the cosine of the active model's vectors. If a card has no vector, only a card with the same label is
-- similar to it.
-- The function compares only the 32 most valuable cards, or four times p_diverse if this is more; comparing more cards
-- would take too long.
-- With a budget, a card is chosen only if it still fits. The sum therefore never exceeds the budget.
-- Cards that the caller may not see are not considered.
create or replace function selection.diversify(
    p_candidates selection.candidate[], p_lambda real, p_diverse integer, p_top integer, p_budget integer default null
)
returns table (card_id bigint, rank integer, redundancy real, nearest bigint)
language plpgsql
stable parallel safe security definer
rows 10
set search_path = pg_catalog, pg_temp
as $function$
declare
    v_model_id constant integer := (select m.id from search.model as m where m.active);
    v_diverse constant integer := case when p_lambda > 0 then least(p_diverse, p_top) else 0 end;
    v_left integer := p_budget;
    v_shown bigint[] := array[]::bigint[];
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
    v_next record;
begin
    perform policy.require_principal();
    if v_diverse > 0 then
        select array_agg(c.id), array_agg(f.value), array_agg(f.tokens), array_agg(c.label), array_agg(e.vector),
            array_agg(0::real), array_agg(null::bigint)
        into v_ids, v_values, v_tokens, v_labels, v_vectors, v_redundancies, v_nearest
        from (
            select p.card_id, p.value, p.tokens
            from unnest(p_candidates) as p
            where p_budget is null or p.tokens <= p_budget
            order by p.value desc, p.card_id
            limit greatest(32, 4 * v_diverse)
        ) as f
        inner join search.card as c
            on c.id = f.card_id and policy.is_visible(c.rights_class, (select policy.visible_classes()))
        left join lateral (
            select v.vector
            from search.embedding as v
            where v.model_id = v_model_id and v.text_hash = c.text_hash and v.kind = c.kind
            limit 1
        ) as e on true;
    end if;

    for v_rank in 1..least(v_diverse, cardinality(v_ids)) loop
        select i
        into v_choice
        from generate_subscripts(v_ids, 1) as i
        where v_values[i] is not null and (v_left is null or v_tokens[i] <= v_left)
        order by v_values[i] * (1 - p_lambda * v_redundancies[i]) desc, v_values[i] desc, v_ids[i]
        limit 1;
        exit when v_choice is null;

        card_id := v_ids[v_choice];
        rank := v_rank;
        redundancy := v_redundancies[v_choice];
        nearest := v_nearest[v_choice];
        return next;

        v_shown := v_shown || card_id;
        v_left := v_left - v_tokens[v_choice];
        v_values[v_choice] := null;
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
    end loop;

    if cardinality(v_shown) = p_top then
        return;
    end if;

    redundancy := null;
    nearest := null;
    for v_next in
        select p.card_id, p.tokens
        from unnest(p_candidates) as p
        inner join search.card as c
            on c.id = p.card_id and policy.is_visible(c.rights_class, (select policy.visible_classes()))
        where p.card_id <> all(v_shown)
        order by p.value desc, p.card_id
    loop
        exit when cardinality(v_shown) >= p_top;
        continue when v_next.tokens > v_left;
        card_id := v_next.card_id;
        v_shown := v_shown || card_id;
        v_left := v_left - v_next.tokens;
        rank := cardinality(v_shown);
        return next;
    end loop;
end
$function$;
comment on function selection.diversify(selection.candidate[], real, integer, integer, integer) is
'Chooses which of the candidates a search shows. Arguments: p_candidates: the candidates; p_lambda: how much '
'similarity to an earlier card lowers the value of a card, from 0 (not at all) to 1; p_diverse: number of cards to '
'choose by diversity; p_top: number of cards to show; p_budget: maximum number of tokens in all shown cards together '
'(null: no limit). Returns the cards in the order in which they are shown. For a card chosen by diversity, also '
'returns the most similar earlier card, and this similarity.';
grant execute on function selection.diversify to qm_reader;
