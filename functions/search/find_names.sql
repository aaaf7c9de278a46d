-- search.find_names: the names that share most with a query: by cosine of their weights, and by the sum alone, which prefers no short names.
-- The sums are those of search.bm25: posting vectors times weights, 2048 cards at a time; of the pieces only those are looked into that hold
-- a score above that of the last one wanted.
-- Only for functions that decide what may be seen: postings know no rights.
create or replace function search.find_names(
    p_kind text, p_prefix text, p_term_ids integer[], p_weights real[], p_cosine integer, p_sum integer
)
returns table (card_id bigint)
language plpgsql
stable parallel unsafe security invoker
rows 40
set search_path = pg_catalog, pg_temp
set enable_hashjoin = off
set enable_mergejoin = off
set plan_cache_mode = force_generic_plan -- the plan is the same for every query, and planning it is not free
as $function$
declare
    v_norm_id constant integer := (select t.id from search.term as t where t.kind = p_kind and t.lexeme = p_prefix || ':');
begin
    return query
    with block as materialized (
        select p.block, search.add_vectors(p.weights::ext.vector operator(ext.*) q.factor) as sums
        from (
            select g.term_id, array_fill(g.weight, '{2048}')::ext.vector as factor
            from unnest(p_term_ids, p_weights) as g (term_id, weight)
            offset 0 -- once a lexeme, not once a block
        ) as q
        inner join search.posting as p on p.term_id = q.term_id
        group by p.block
    ),

    piece as materialized (
        select
            b.block * 2048 + i as first_id,
            ext.subvector(b.sums, i + 1, 128) as sums,
            ext.subvector(b.sums operator(ext.*) n.weights::ext.vector, i + 1, 128) as cosines
        from block as b
        inner join search.posting as n on n.term_id = v_norm_id and n.block = b.block
        cross join generate_series(0, 2047, 128) as i
    ),

    -- A little below the last score: sums of another order round differently.
    cosine_from as materialized (
        select k.score, array_fill(k.score, '{128}')::ext.vector as everywhere
        from (
            select coalesce(min(x.score), 0)::real * 0.9999::real as score
            from (
                select s.score
                from (select p.cosines from piece as p order by ext.vector_norm(p.cosines) desc limit p_cosine) as m
                cross join unnest(m.cosines::real[]) as s (score)
                order by 1 desc
                limit p_cosine
            ) as x
        ) as k
    ),

    sum_from as materialized (
        select k.score, array_fill(k.score, '{128}')::ext.vector as everywhere
        from (
            select coalesce(min(x.score), 0)::real * 0.9999::real as score
            from (
                select s.score
                from (select p.sums from piece as p order by ext.vector_norm(p.sums) desc limit p_sum) as m
                cross join unnest(m.sums::real[]) as s (score)
                order by 1 desc
                limit p_sum
            ) as x
        ) as k
    )

    (
        select p.first_id + s.position - 1
        from cosine_from as f
        inner join piece as p on bit_count(ext.binary_quantize(p.cosines operator(ext.-) f.everywhere)) > 0
        cross join unnest(p.cosines::real[]) with ordinality as s (score, position)
        where s.score > f.score
        order by s.score desc, 1
        limit p_cosine
    )
    union
    (
        select p.first_id + s.position - 1
        from sum_from as f
        inner join piece as p on bit_count(ext.binary_quantize(p.sums operator(ext.-) f.everywhere)) > 0
        cross join unnest(p.sums::real[]) with ordinality as s (score, position)
        where s.score > f.score
        order by s.score desc, 1
        limit p_sum
    );
end
$function$;
comment on function search.find_names(text, text, integer[], real[], integer, integer) is
'Arguments: kind; prefix of the corpus; lexemes of the query and what they weigh; how many by cosine and by sum. Returns cards in no order.';
