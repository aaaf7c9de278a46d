-- search.score_cards: the function uses the word frequencies and the average length of the indexed cards, and vectors
-- of texts that are already stored. The formulas are in search.weigh and search.query_terms. Every text is read word by
-- word, so the function is fast enough only for a few cards. Words that occur in no indexed card count as the rarest
-- words.
create or replace function search.score_cards(p_kind text, p_query text, p_vector ext.vector, p_cards jsonb)
returns table (ref bigint, lexical real, dense real, fuzzy real, sources text[])
language sql
stable parallel safe security invoker
rows 100
set search_path = pg_catalog, pg_temp
as $function$
    with kind as materialized (
        select k.*, k.weighed_length as average from search.kind as k where k.name = p_kind
    ),

    goal as materialized (
        select
            search.fold_label(left(p_query, 1000)) as label,
            (core.get_setting('fuzzy.max_goal_length'))::integer as longest
    ),

    term as materialized (
        select u.lexeme, cardinality(u.positions) * ln(1 + (k.cards - n.cards + 0.5) / (n.cards + 0.5)) as weight
        from unnest(search.tokenize(p_query)) as u
        cross join kind as k
        cross join lateral (
            select coalesce(
                (select t.cards from search.term as t where t.kind = p_kind and t.lexeme = u.lexeme), 0
            ) as cards
        ) as n
        order by 2 desc
        limit (core.get_setting('goal.max_terms'))::integer
    ),

    card as materialized (
        select
            c.ref,
            search.fold_label(coalesce(c.label, c.name)) as label,
            sha256(convert_to(c.embedding_text, 'UTF8')) as text_hash,
            d.document,
            search.field_length(d.document, k.field_weights) as length
        from jsonb_to_recordset(p_cards) as c (ref bigint, name text, label text, embedding_text text, fields jsonb)
        cross join kind as k
        cross join lateral (select search.document(c.fields) as document) as d
    ),

    scored as (
        select
            c.ref,
            (
                select sum(
                    t.weight * f.tf * (k.k1 + 1) / (
                        f.tf + k.k1 * (1 - k.b + k.b * c.length / coalesce(k.average, c.length))
                    )
                )
                from unnest(c.document) as u
                inner join term as t on t.lexeme = u.lexeme
                cross join lateral (
                    select sum(k.field_weights[ascii(w.field) - 64])::double precision as tf
                    from unnest(u.weights) as w (field)
                ) as f
                where f.tf > 0
            ) as lexical,
            (
                select 1 - (e.vector operator(ext.<=>) p_vector)
                from search.embedding as e
                inner join search.model as m on m.id = e.model_id and m.active
                where e.kind = p_kind and e.text_hash = c.text_hash
            ) as dense,
            case when length(g.label) <= g.longest then ext.word_similarity(c.label, g.label) else 0 end as fuzzy,
            length(g.label) <= g.longest and c.label operator(ext.%) g.label as is_alike
        from card as c
        cross join kind as k
        cross join goal as g
    )

    select
        s.ref,
        coalesce(s.lexical, 0)::real,
        greatest(coalesce(s.dense, 0), 0)::real,
        s.fuzzy::real,
        array_remove(
            array[
                case when s.dense is not null then 'dense' end,
                case when s.is_alike then 'fuzzy' end,
                case when s.lexical > 0 then 'lexical' end
            ],
            null
        )
    from scored as s;
$function$;
comment on function search.score_cards(text, text, ext.vector, jsonb) is
'Computes scores for cards that are not in the index, as if the index contained these cards. Arguments: p_kind: kind '
'of card; p_query: the goal; p_vector: unit vector of the goal (null: no vector); p_cards: cards in the form that '
'search.put_cards takes. Returns for each card: the BM25 score, the cosine (0 without a vector), the trigram '
'similarity, and the channels that would find the card.';
