-- selection.prefer_available: candidates may come from a cache that is older than the reason why a card cannot be used.
-- Therefore, each search calls this function.
create or replace function selection.prefer_available(p_kind text, p_cards search.found[])
returns search.found[]
language plpgsql
stable parallel safe security invoker
set search_path = pg_catalog, pg_temp
as $function$
begin
    if not exists (select from unnest(p_cards) as f where f.twins is not null) then
        return p_cards;
    end if;
    return (
        with grouped as (
            select g.place, c.id, c.ref, c.id = g.card_id as is_first
            from unnest(p_cards) with ordinality as g (
                card_id, score, lexical, dense, fuzzy, sources, features, odds, twins, place
            )
            inner join search.card as c on c.id = any(g.twins || g.card_id)
            where g.twins is not null
        ),

        away as materialized (
            select u.ref from selection.find_unavailable(p_kind, array(select g.ref from grouped as g)) as u
        ),

        best as (
            -- The oldest of those that can be used.
            select distinct on (g.place) g.place, g.id
            from grouped as g
            where g.ref not in (select a.ref from away as a)
            order by g.place, g.is_first desc, g.id
        )

        select
            array_agg(
                row(
                    coalesce(b.id, f.card_id),
                    f.score,
                    f.lexical,
                    f.dense,
                    f.fuzzy,
                    f.sources,
                    f.features,
                    f.odds,
                    case when b.id <> f.card_id then array_remove(f.twins, b.id) || f.card_id else f.twins end
                )::search.found
                order by f.place
            )
        from unnest(p_cards) with ordinality as f (
            card_id, score, lexical, dense, fuzzy, sources, features, odds, twins, place
        )
        left join best as b on b.place = f.place
    );
end
$function$;
comment on function selection.prefer_available(text, search.found[]) is
'Replaces each card that cannot be used now by a card with the same meaning that can be used. Arguments: p_kind: kind '
'of card; p_cards: the candidates of a search; a candidate may have twins, which are cards with the same meaning. '
'Returns the candidates in the same order. If neither a candidate nor one of its twins can be used, the candidate '
'stays.';
grant execute on function selection.prefer_available to qm_reader;
