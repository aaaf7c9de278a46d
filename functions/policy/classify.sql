-- policy.classify: a matcher is the set of conditions of a rule, and each matcher is one bit. Matchers are compared
-- once with each distinct origin, name and set of traits; the three resulting bit strings are then combined for each
-- item. For 1,000 rules and 100,000 cards, this takes some hundred thousand comparisons instead of a hundred million.
-- Writes: policy.rights_class, policy.subject_rights, policy.audience_rights.
create or replace function policy.classify(p_items policy.item[])
returns table (ref bigint, rights_class integer)
language plpgsql
volatile parallel unsafe security invoker
rows 1000
set search_path = pg_catalog, pg_temp
set enable_nestloop = off -- the planner cannot know how many items there are
as $function$
declare
    v_matchers integer[];
    v_none bit varying;
    v_any_origin bit varying; -- matchers that every origin satisfies
    v_any_name bit varying;
    v_refs bigint[];
    v_meant bit varying[];
    v_audiences integer[];
begin
    perform policy.lock_rights(false);
    v_matchers := policy.active_matchers();
    v_none := repeat('0', cardinality(v_matchers))::bit varying;
    select
        coalesce(bit_or(set_bit(v_none, p.bit, 1)) filter (where m.origins is null), v_none),
        coalesce(bit_or(set_bit(v_none, p.bit, 1)) filter (where m.names is null), v_none)
    into v_any_origin, v_any_name
    from unnest(v_matchers) with ordinality as x (id, position)
    cross join lateral (select x.position::integer - 1 as bit) as p
    inner join policy.matcher as m on m.id = x.id;

    with matcher as materialized (
        select x.position::integer - 1 as bit, m.*
        from unnest(v_matchers) with ordinality as x (id, position)
        inner join policy.matcher as m on m.id = x.id
    ),

    item as materialized (
        select
            i.ref,
            i.kind,
            i.origin,
            i.name,
            coalesce(i.categories, '{}') as categories,
            i.traits,
            i.audience_id
        from unnest(p_items) as i
    ),

    trait as (
        select t.kind, t.categories, t.traits, coalesce(bit_or(set_bit(v_none, m.bit, 1)), v_none) as bits
        from (select i.kind, i.categories, i.traits from item as i group by 1, 2, 3) as t
        -- If an item has no traits, rules that require a trait do not apply to the item.
        left join matcher as m
            on (m.kinds is null or t.kind = any(m.kinds))
            and (m.categories is null or t.categories && m.categories)
            and (m.read_only is null or ('read_only' = any(t.traits)) = m.read_only)
            and (m.destructive is null or ('destructive' = any(t.traits)) = m.destructive)
        group by 1, 2, 3
    ),

    origin as (
        select h.value, bit_or(set_bit(v_none, h.number, 1)) as bits
        from policy.match_patterns(
            array(select distinct i.origin from item as i),
            array(
                select p.pattern
                from matcher as m
                cross join unnest(m.origins) with ordinality as p (pattern, n)
                order by m.bit, p.n
            ),
            array(
                select m.bit
                from matcher as m
                cross join unnest(m.origins) with ordinality as p (pattern, n)
                order by m.bit, p.n
            )
        ) as h
        group by h.value
    ),

    name as (
        select h.value, bit_or(set_bit(v_none, h.number, 1)) as bits
        from policy.match_patterns(
            array(select distinct i.name from item as i),
            array(
                select p.pattern
                from matcher as m
                cross join unnest(m.names) with ordinality as p (pattern, n)
                order by m.bit, p.n
            ),
            array(
                select m.bit
                from matcher as m
                cross join unnest(m.names) with ordinality as p (pattern, n)
                order by m.bit, p.n
            )
        ) as h
        group by h.value
    )

    select
        array_agg(i.ref),
        array_agg(t.bits & (v_any_origin | coalesce(o.bits, v_none)) & (v_any_name | coalesce(n.bits, v_none))),
        array_agg(i.audience_id)
    into v_refs, v_meant, v_audiences
    from item as i
    inner join trait as t
        on t.kind = i.kind and t.categories = i.categories and t.traits is not distinct from i.traits
    left join origin as o on o.value = i.origin
    left join name as n on n.value = i.name;

    return query
    select x.ref, c.rights_class
    from unnest(v_refs, v_meant, v_audiences) as x (ref, meant, audience_id)
    inner join policy.put_classes(v_meant, v_audiences, v_matchers) as c
        on c.meant = x.meant and coalesce(c.audience_id, 0) = coalesce(x.audience_id, 0);
end
$function$;
comment on function policy.classify(policy.item[]) is
'Finds the rights class of each item, and creates missing classes. The same rules apply to all items in a rights '
'class. Argument p_items: items, each with a reference number. Returns the reference number and the rights class of '
'each item.';
