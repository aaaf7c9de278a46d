-- search.weigh_names: a posting contains only the positions of cards, and no weights, because the weight of a lexeme is
-- applied to the query. The length of a name is the sum of the weights of its lexemes. The weight of a lexeme is ln(1 +
-- N / n): N is the number of names of the origin, and n is the number of these names that contain the lexeme.
-- Frequencies change slowly. Therefore, all lengths of an origin are computed again only when its number of names has
-- changed by more than a twentieth.
-- Only search.weigh calls it.
-- Writes: search.lexical, search.name_posting, search.corpus.
create or replace function search.weigh_names(p_kind text, p_card_ids bigint[])
returns void
language plpgsql
volatile parallel unsafe security invoker
set search_path = pg_catalog, pg_temp
set enable_nestloop = off -- the planner cannot know how many names there are
set work_mem = '64MB'
as $function$
declare
    v_drifted text[];
begin
    with listed as materialized (
        select l.card_id, t.id as term_id
        from unnest(p_card_ids) as w (id)
        inner join search.lexical as l on l.card_id = w.id
        cross join unnest(tsvector_to_array(l.document)) as u (lexeme)
        inner join search.term as t on t.kind = p_kind and t.lexeme = u.lexeme
    ),

    weighed as (
        update search.lexical as l
        set weights = g.weights
        from (
            select
                x.card_id,
                (
                    '{' || string_agg(x.term_id || ':1', ',' order by x.term_id) || '}/1000000000'
                )::ext.sparsevec as weights
            from listed as x
            group by x.card_id
        ) as g
        where l.card_id = g.card_id
    )

    insert into search.name_posting as p (term_id, block, places)
    select x.term_id, x.card_id / 32768, array_agg((x.card_id % 32768)::smallint order by x.card_id)
    from listed as x
    group by 1, 2
    on conflict (term_id, block) do update set places = p.places || excluded.places;

    with drifted as (
        update search.corpus as c
        set weighed_cards = c.cards
        where c.kind = p_kind and abs(c.cards - c.weighed_cards) > 0.05 * c.weighed_cards
        returning c.origin
    )

    select array_agg(d.origin)
    into v_drifted
    from drifted as d;
    -- While many names are being loaded, the query planner has no statistics on them and would choose slow joins. For a
    -- few names, any join is quick, but the statistics take half a second.
    if cardinality(p_card_ids) > 1000 then
        analyze search.card, search.lexical, search.term;
    end if;
    update search.lexical as l
    set length = g.length
    from (
        select d.card_id, sum(ln(1 + d.names / greatest(t.cards, 1)::double precision))::real as length
        from (
            select x.card_id, k.cards as names, unnest(tsvector_to_array(x.document)) as lexeme
            from (
                select o.id
                from search.card as o
                where o.kind = p_kind and o.origin = any(v_drifted)
                union
                select unnest(p_card_ids)
            ) as n
            inner join search.card as c on c.id = n.id
            inner join search.corpus as k on k.kind = c.kind and k.origin = c.origin
            inner join search.lexical as x on x.card_id = c.id
            offset 0
        ) as d
        inner join search.term as t on t.kind = p_kind and t.lexeme = d.lexeme
        group by d.card_id
    ) as g
    where l.card_id = g.card_id;
end
$function$;
comment on function search.weigh_names(text, bigint[]) is
'Computes the weights of cards, as search.weigh does, for a kind that is indexed by names. Arguments: p_kind: kind of '
'card; p_card_ids: ids of the cards, which must not have postings (entries in the lists of cards by token) yet.';
