-- policy.put_classes: returns the rights classes for the given sets of matchers, and creates missing classes. Only one
-- transaction at a time can create classes. Numbers that are no longer used are used again, so that the bit strings
-- stay short. This is safe, because every query reads the classes and the rights from the same snapshot.
-- Writes: policy.rights_class, policy.subject_rights.
create or replace function policy.put_classes(p_meant bit varying[], p_matchers integer[])
returns table (meant bit varying, rights_class integer)
language plpgsql
volatile parallel unsafe security invoker
rows 100
set search_path = pg_catalog, pg_temp
set enable_nestloop = off -- the planner cannot know how many sets there are
as $function$
declare
    v_meant bit varying[];
    v_matchers text[]; -- of each, because arrays of arrays are rectangular
begin
    select array_agg(d.meant), array_agg(d.matchers)
    into v_meant, v_matchers
    from (
        select
            m.meant,
            array(
                select p_matchers[b + 1] from generate_series(0, cardinality(p_matchers) - 1) as b where get_bit(m.meant, b) = 1 order by 1
            )::text as matchers
        from unnest(p_meant) as m (meant)
        group by m.meant
    ) as d;

    perform from unnest(v_matchers) as g (matchers)
    left join policy.rights_class as c on c.matchers::text = g.matchers
    where c.id is null
    limit 1;
    if found then
        lock table policy.rights_class in share row exclusive mode;
        insert into policy.rights_class (id, matchers)
        with missing as materialized (
            select g.matchers::integer[] as matchers, row_number() over (order by g.matchers) as number
            from unnest(v_matchers) as g (matchers)
            left join policy.rights_class as c on c.matchers::text = g.matchers
            where c.id is null
        ),

        free as (
            select i.id, row_number() over (order by i.id) as number
            from generate_series(0, (select count(*)::integer from policy.rights_class) + cardinality(v_meant)) as i (id)
            left join policy.rights_class as c on c.id = i.id
            where c.id is null
        )

        select f.id, m.matchers
        from missing as m
        inner join free as f on f.number = m.number;
        perform policy.refresh_rights();
    end if;

    return query
    select g.meant, c.id
    from unnest(v_meant, v_matchers) as g (meant, matchers)
    inner join policy.rights_class as c on c.matchers::text = g.matchers;
end
$function$;
comment on function policy.put_classes(bit varying[], integer[]) is
'Returns the rights classes for the given sets of matchers, and creates missing classes. Arguments: p_meant: sets of '
'matchers, one bit for each matcher; p_matchers: ids of the matchers. Returns each distinct set with its rights class.';
