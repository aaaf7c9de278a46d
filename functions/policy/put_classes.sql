-- policy.put_classes: only one transaction at a time can create classes. The numbers of removed classes are used again,
-- so that the bit strings stay short. This is safe, because every query reads the classes and the rights from the same
-- database snapshot.
-- Writes: policy.rights_class, policy.subject_rights, policy.audience_rights.
create or replace function policy.put_classes(p_meant bit varying[], p_audiences integer[], p_matchers integer[])
returns table (meant bit varying, audience_id integer, rights_class integer)
language plpgsql
volatile parallel unsafe security invoker
rows 100
set search_path = pg_catalog, pg_temp
set enable_nestloop = off -- the planner cannot know how many sets there are
as $function$
declare
    v_meant bit varying[];
    v_audiences integer[];
    v_matchers text[]; -- of each, because arrays of arrays are rectangular
begin
    select array_agg(d.meant), array_agg(d.audience_id), array_agg(d.matchers)
    into v_meant, v_audiences, v_matchers
    from (
        select
            m.meant,
            m.audience_id,
            array(
                select p_matchers[b + 1]
                from generate_series(0, cardinality(p_matchers) - 1) as b
                where get_bit(m.meant, b) = 1
                order by 1
            )::text as matchers
        from unnest(p_meant, p_audiences) as m (meant, audience_id)
        group by m.meant, m.audience_id
    ) as d;

    perform from unnest(v_audiences, v_matchers) as g (audience_id, matchers)
    left join policy.rights_class as c
        on c.matchers::text = g.matchers and coalesce(c.audience_id, 0) = coalesce(g.audience_id, 0)
    where c.id is null
    limit 1;
    if found then
        lock table policy.rights_class in share row exclusive mode;
        insert into policy.rights_class (id, matchers, audience_id)
        with missing as materialized (
            select
                g.matchers::integer[] as matchers,
                g.audience_id,
                row_number() over (order by g.matchers collate core.c_utf8, g.audience_id) as number
            from unnest(v_audiences, v_matchers) as g (audience_id, matchers)
            left join policy.rights_class as c
                on c.matchers::text = g.matchers and coalesce(c.audience_id, 0) = coalesce(g.audience_id, 0)
            where c.id is null
        ),

        free as (
            select i.id, row_number() over (order by i.id) as number
            from generate_series(
                0, (select count(*)::integer from policy.rights_class) + cardinality(v_meant)
            ) as i (id)
            left join policy.rights_class as c on c.id = i.id
            where c.id is null
        )

        select f.id, m.matchers, m.audience_id
        from missing as m
        inner join free as f on f.number = m.number;
        perform policy.refresh_rights();
    end if;

    return query
    select g.meant, g.audience_id, c.id
    from unnest(v_meant, v_audiences, v_matchers) as g (meant, audience_id, matchers)
    inner join policy.rights_class as c
        on c.matchers::text = g.matchers and coalesce(c.audience_id, 0) = coalesce(g.audience_id, 0);
end
$function$;
comment on function policy.put_classes(bit varying[], integer[], integer[]) is
'Finds the rights class for each pair of a set of matchers and an audience, and creates missing classes. (A matcher is '
'the set of conditions by which a rule chooses cards. The same access rules apply to all cards in a rights class.) '
'Arguments: p_meant: sets of matchers, each a bit string with one bit for each matcher; p_audiences: audience of each '
'set (null: no audience); p_matchers: ids of the matchers, in the order of the bits. Returns each distinct pair of set '
'and audience with its rights class.';
