-- search.near_cards: in a large catalog, the function reads two and a half times as many cards as it returns, and
-- chooses among them (lab/notes/selection.md#near-for-a-reason-of-its-own). Two things count against a card. The first
-- is its similarity to the mean of all cards that were read: such a card is near only for reasons that it shares with
-- the others. The second is the number of visible cards of its origin: a server with many tools is not needed more
-- often than a server with few tools.
-- Only search.text_candidates may call this function, because callers have no permission to read search.embedding. The
-- function returns only visible cards, because search.nearest does.
create or replace function search.near_cards(
    p_kind text, p_vector ext.vector, p_limit integer, p_large float8, p_ef_search integer
)
returns setof bigint
language plpgsql
volatile parallel unsafe security invoker
rows 50
set search_path = pg_catalog, pg_temp
as $function$
declare
    v_looked_at constant integer := ceil(p_limit * (1 + 1.5 * p_large));
    v_common constant float8 := 0.15;
    v_many constant float8 := 0.01;
    v_counted constant integer := 128; -- so that an origin with thousands of cards takes no time
    v_visible constant bit varying := policy.visible_classes();
    v_sees_all constant boolean := bit_count(v_visible) = length(v_visible);
begin
    if p_large = 0 then
        return query select d.card_id from search.dense(p_kind, p_vector, p_limit, p_ef_search) as d;
        return;
    end if;
    return query
    with near as materialized (
        select n.card_id, n.similarity, n.vector, k.origin
        from search.nearest(p_kind, p_vector, p_limit, v_looked_at, p_ef_search) as n
        cross join lateral (select x.origin from search.card as x where x.id = n.card_id) as k
    ),

    origins as materialized (
        select o.origin, ln(greatest(c.cards, 1)) as size
        from (select distinct n.origin from near as n where n.origin <> '') as o
        cross join lateral (
            select case
                when v_sees_all then ( -- answered by the index alone
                    select count(*) from (
                        select from search.card as k where k.kind = p_kind and k.origin = o.origin limit v_counted
                    ) as k
                )
                else (
                    select count(*) from (
                        select from search.card as k
                        where k.kind = p_kind and k.origin = o.origin and policy.is_visible(k.rights_class, v_visible)
                        limit v_counted
                    ) as k
                )
            end as cards
        ) as c
    )

    select n.card_id
    from near as n
    cross join (select search.add_vectors(v.vector) as vector from near as v) as m
    left join origins as o on o.origin = n.origin
    order by
        n.similarity - p_large * (
            v_common * (1 - (n.vector operator(ext.<=>) m.vector)) + v_many * coalesce(o.size, 0)
        ) desc,
        n.card_id
    limit p_limit;
end
$function$;
comment on function search.near_cards(text, ext.vector, integer, float8, integer) is
'Finds cards that are near a goal by meaning. In a large catalog, some cards must be nearer than others to be '
'returned: cards that are similar to the mean of all near cards, and cards of origins with many cards. Arguments: '
'p_kind: kind of card; p_vector: unit vector of the goal; p_limit: maximum number of cards; p_large: how much the '
'catalog counts as large, from 0 to 1 (search.large_share); p_ef_search: as for search.dense. Returns the ids of the '
'cards, best first.';
