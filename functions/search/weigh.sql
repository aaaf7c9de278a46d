-- search.weigh: the weights of a document are stored as a sparse vector, so that a score is one inner product.
-- weight(t, d) = tf * (k1 + 1) / (tf + k1 * (1 - b + b * length / average length)), with tf and length weighted by
-- field (BM25F). The inverse document frequency is not part of this weight; search.query_terms applies it to the query.
-- Source: Robertson and Zaragoza, The Probabilistic Relevance Framework: BM25 and Beyond (2009).
-- A posting contains the weights of one token, multiplied by a factor: the token's inverse document frequency when the
-- posting was written. A sum of postings is therefore close to the score, and search.bm25 computes the largest possible
-- error.
-- All documents of the kind are weighed again if the average length has changed by more than the setting
-- weights.tolerance, or the number of cards has doubled or halved.
-- The given cards must not have postings yet: they are new, or search.count_terms has removed their postings. The
-- caller must hold the kind's lock (search.lock_kind).
-- Writes: search.lexical, search.posting, search.term, search.kind.
create or replace function search.weigh(p_kind text, p_card_ids bigint[])
returns void
language plpgsql
volatile parallel unsafe security invoker
set search_path = pg_catalog, pg_temp
as $function$
declare
    v_kind search.kind;
    v_average double precision;
    v_all boolean;
begin
    select * into strict v_kind from search.kind as k where k.name = p_kind;
    if v_kind.index_type = 'names' then
        perform search.weigh_names(p_kind, p_card_ids);
        return;
    end if;
    if v_kind.cards = 0 then
        return;
    end if;
    v_average := v_kind.total_length / v_kind.cards;
    v_all := p_card_ids is null
        or coalesce(v_kind.weighed_length, 0) = 0 -- for texts that contain no word
        or abs(v_average / v_kind.weighed_length - 1) > (core.get_setting('weights.tolerance'))::double precision
        or v_kind.cards not between v_kind.weighed_cards / 2 and 2 * v_kind.weighed_cards;
    if v_all then
        update search.kind as k set weighed_length = v_average, weighed_cards = k.cards where k.name = p_kind;
        update search.term as t set factor = null where t.kind = p_kind and t.factor is not null;
        -- During the first import, the query planner has no statistics yet and would choose slow joins.
        analyze search.card, search.lexical, search.term;
        delete from search.posting as p using search.term as t where t.id = p.term_id and t.kind = p_kind;
    else
        v_average := v_kind.weighed_length;
    end if;
    update search.term as t
    set factor = ln(1 + (v_kind.cards - t.cards + 0.5::float8) / (t.cards + 0.5::float8))
    where t.kind = p_kind and t.factor is null;

    with weighed as (
        select
            d.card_id,
            t.id as term_id,
            t.factor,
            (
                f.tf * (v_kind.k1 + 1) / (f.tf + v_kind.k1 * (1 - v_kind.b + v_kind.b * d.length / v_average))
            )::real as weight
        from search.lexical as d
        -- The most elements that a sparsevec can have.
        cross join lateral (select x.* from unnest(d.document) as x limit 16000) as u
        cross join lateral (
            select sum(v_kind.field_weights[ascii(w.field) - 64])::double precision as tf
            from unnest(u.weights) as w (field)
        ) as f
        inner join search.term as t on t.kind = p_kind and t.lexeme = u.lexeme
        where d.kind = p_kind and (v_all or d.card_id = any(p_card_ids)) and f.tf > 0
    ),

    written as (
        update search.lexical as l
        set weights = v.weights
        from (
            select
                w.card_id,
                (
                    '{' || string_agg(w.term_id || ':' || w.weight, ',' order by w.term_id) || '}/1000000000'
                )::ext.sparsevec as weights
            from weighed as w
            group by w.card_id
        ) as v
        where l.card_id = v.card_id
    ),

    posted as (
        insert into search.posting as p (term_id, block, weights)
        select
            w.term_id,
            w.card_id / 2048,
            (
                '{' || string_agg(
                    w.card_id % 2048 + 1 || ':' || w.weight * w.factor, ',' order by w.card_id
                ) || '}/2048'
            )::ext.sparsevec
        from weighed as w
        group by 1, 2
        on conflict (term_id, block) do update
        set weights = (p.weights::ext.vector operator(ext.+) excluded.weights::ext.vector)::ext.sparsevec
    )

    update search.term as t
    set max_weight = g.max_weight
    from (select w.term_id, max(w.weight) as max_weight from weighed as w group by w.term_id) as g
    where t.id = g.term_id and (v_all or t.max_weight < g.max_weight);
end
$function$;
comment on function search.weigh(text, bigint[]) is
'Computes and stores the BM25 weights of cards. Arguments: p_kind: kind of card; p_card_ids: ids of the cards (null: '
'all cards of the kind). If the average length of cards has changed too much, the function computes the weights of all '
'cards.';
