-- search.features: a card that has no vector yet gets an estimated similarity, so that a new tool is found before its
-- vector is computed. If the card is the best match by words, it gets the similarity of the nearest candidate. If no
-- word matches, it gets the similarity of the farthest candidate. A goal with several sentences often has several
-- steps, and a tool fits only one of these steps. Therefore, the similarity to the best sentence counts, too.
-- Because the function reads documents and vectors, only search.text_candidates and catalog.search_past may call it,
-- and they pass only visible cards.
create or replace function search.features(
    p_kind text,
    p_query text,
    p_vector ext.vector,
    p_card_ids bigint[],
    p_sentences ext.vector[] default '{}',
    p_terms search.goal_terms default null
)
returns table (
    card_id bigint, label text, text_hash bytea, lexical real, dense real, fuzzy real, features real[]
)
language plpgsql
volatile parallel unsafe security invoker
rows 100
set search_path = pg_catalog, pg_temp
as $function$
declare
    v_label constant text := search.fold_label(left(p_query, 1000));
    v_model_id constant integer := (select m.id from search.goal_model() as m where p_vector is not null);
    v_average constant double precision := (
        select k.total_length / nullif(k.cards, 0) from search.kind as k where k.name = p_kind
    );
    -- A long goal is not compared with names, because it is not a name, and comparing its trigrams would take more time
    -- than the rest of the search.
    v_is_short constant boolean := length(v_label) <= (core.get_setting('fuzzy.max_goal_length'))::integer;
    v_share constant real := (core.get_setting('goal.sentence_share'))::real;
    v_terms constant search.goal_terms := coalesce(p_terms, search.read_terms(p_kind, p_query));
    v_query constant ext.sparsevec := v_terms.query;
    v_lexemes constant text[] := v_terms.lexemes;
    v_weights constant real[] := v_terms.weights;
    -- One vector for each token: a card contains the token if its inner product with this vector is not 0.
    v_units constant ext.sparsevec[] := array(
        select ('{' || g.term_id || ':1}/1000000000')::ext.sparsevec
        from unnest(v_terms.term_ids) with ordinality as g (term_id, position)
        order by g.position
    );
    v_most constant real := v_terms.most;
    v_destroys constant real := search.destroys(p_vector);
    v_visible constant bit varying := policy.visible_classes();
    -- These bounds limit the vectors that a search reads.
    v_nearest constant integer := 16;
    v_cards constant integer := 64;
begin
    return query
    with scored as materialized (
        select
            k.id,
            k.label,
            k.text_hash,
            k.origin,
            (-(l.weights operator(ext.<#>) v_query))::real as lexical,
            (
                select sum(g.weight)
                from unnest(v_units, v_weights) as g (unit, weight)
                where l.weights operator(ext.<#>) g.unit <> 0
            ) as covered,
            d.goal as dense,
            coalesce((1 - v_share) * d.goal + v_share * d.sentence, d.goal)::real as near,
            case when v_is_short then ext.word_similarity(k.label, v_label) else 0 end::real as fuzzy,
            n.weight as name_weight,
            n.tokens / nullif(cardinality(k.name_lexemes), 0)::real as name_share,
            (select count(*) from unnest(k.origin_lexemes) as o (lexeme) where o.lexeme = any(v_lexemes))
            / nullif(cardinality(k.origin_lexemes), 0)::real as origin_share,
            ln(greatest(l.length, 1) / v_average) as length,
            -- If the goal contains the word from the card's name, such as delete, the caller wants to destroy
            -- something.
            case
                when k.destroys is null or k.destroys = any(v_lexemes) then 0
                else coalesce(1 - v_destroys, 0)
            end as destroys_unasked
        from unnest(p_card_ids) as c (id)
        inner join search.card as k on k.id = c.id
        inner join search.lexical as l on l.card_id = c.id
        cross join lateral (
            select count(*) as tokens, sum(v_weights[array_position(v_lexemes, g.lexeme)]) as weight
            from unnest(k.name_lexemes) as g (lexeme)
            where g.lexeme = any(v_lexemes)
        ) as n
        -- Each card is looked up separately, because the planner's statistics can be out of date during an import.
        left join lateral (
            select v.vector
            from search.embedding as v
            where v.model_id = v_model_id and v.text_hash = k.text_hash and v.kind = p_kind
            limit 1
        ) as e on true
        cross join lateral (
            select
                (1 - (e.vector operator(ext.<=>) p_vector))::real as goal,
                (
                    select max(1 - (e.vector operator(ext.<=>) u.vector)) from unnest(p_sentences) as u (vector)
                )::real as sentence
        ) as d
    ),

    compared as (
        select
            s.*,
            coalesce(s.lexical / nullif(max(s.lexical) over (), 0), 0) as relative,
            min(s.near) over () as farthest,
            max(s.near) over () as nearest
        from scored as s
    ),

    estimated as (
        select
            x.*,
            coalesce(x.near, x.farthest + x.relative * (x.nearest - x.farthest), 0)::real as nearness
        from compared as x
    ),

    placed as (
        select
            s.*,
            rank() over (order by s.lexical desc) as lexical_rank,
            rank() over (order by s.nearness desc) as dense_rank
        from estimated as s
    ),

    -- These features only say whether a card fits at all, so they are read only for the nearest cards.
    common as materialized (
        select p.id, m.highest, m.mean
        from placed as p
        inner join search.common_similarity as m
            on m.model_id = v_model_id and m.text_hash = p.text_hash and m.kind = p_kind
        where p.dense_rank <= v_nearest
    ),

    nearby as materialized (
        select distinct p.origin from placed as p where p.dense_rank <= v_nearest and p.dense is not null
    ),

    -- The mean is computed here and not stored, so that it always is that of the cards that the caller may see.
    origins as materialized (
        select n.origin, (1 - (a.vector operator(ext.<=>) p_vector))::real as dense
        from nearby as n
        cross join lateral (
            select search.add_vectors(m.vector) as vector
            from (
                select e.vector
                from search.card as c
                inner join search.embedding as e
                    on e.text_hash = c.text_hash and e.model_id = v_model_id and e.kind = p_kind
                where c.kind = p_kind and c.origin = n.origin and policy.is_visible(c.rights_class, v_visible)
                order by c.id
                limit v_cards
            ) as m
        ) as a
    )

    select
        p.id,
        p.label,
        p.text_hash,
        p.lexical,
        greatest(coalesce(p.dense, 0), 0)::real,
        p.fuzzy,
        array[
            p.relative,
            coalesce(p.lexical / nullif(v_most, 0), 0),
            1::float8 / (3 + p.lexical_rank),
            p.nearness,
            p.nearness - max(p.nearness) over (),
            1::float8 / (3 + p.dense_rank),
            greatest(2 * p.fuzzy - 1, 0),
            coalesce(p.name_share, 0) / count(*) over (order by coalesce(p.name_share, 0) desc),
            coalesce(p.name_weight / nullif(v_most, 0), 0),
            coalesce(p.origin_share, 0),
            p.length,
            coalesce(p.nearness / nullif(max(p.nearness) over (), 0), 0),
            p.destroys_unasked,
            coalesce(o.dense, p.dense, p.nearness),
            coalesce(c.highest, avg(c.highest) over (), 0),
            coalesce(c.mean, avg(c.mean) over (), 0),
            coalesce(p.covered / nullif(v_most, 0), 0)
        ]::real[]
    from placed as p
    left join origins as o on o.origin = p.origin
    left join common as c on c.id = p.id;
end
$function$;
comment on function search.features(text, text, ext.vector, bigint[], ext.vector[], search.goal_terms) is
'Computes the features of candidates for a goal. Arguments: p_kind: kind of card; p_query: the goal; p_vector: unit '
'vector of the goal (null: no vector); p_card_ids: ids of visible cards; p_sentences: unit vectors of the goal''s '
'sentences (empty: the goal is a single sentence); p_terms: terms of the goal from search.read_terms (null: read the '
'terms again). Returns for each candidate: the label, the hash of the embedded text, the score in each channel, and '
'the features in the order of the feature set "text".';
