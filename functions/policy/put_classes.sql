-- policy.put_classes: the classes of these sets of matchers; those that are missing are made, one transaction after the other.
-- Free numbers are used again, so that the bit strings stay short: readers take class and rights from one snapshot.
-- Writes: policy.rights_class, policy.subject_rights.
create or replace function policy.put_classes(p_meant bit varying[], p_matchers integer[])
returns table (meant bit varying, rights_class integer)
language plpgsql
volatile parallel unsafe security invoker
rows 100
set search_path = pg_catalog, pg_temp
as $function$
#variable_conflict use_column
declare
    v_meant bit varying[];
    v_matchers jsonb; -- of each, because arrays of arrays are rectangular
begin
    select array_agg(d.meant), jsonb_agg(d.matchers)
    into v_meant, v_matchers
    from (
        select
            m.meant,
            array(
                select p_matchers[b + 1] from generate_series(0, cardinality(p_matchers) - 1) as b where get_bit(m.meant, b) = 1 order by 1
            ) as matchers
        from unnest(p_meant) as m (meant)
        group by m.meant
    ) as d;

    if exists (
        select from jsonb_array_elements(v_matchers) as g (matchers)
        where not exists (
            select from policy.rights_class as c where c.matchers = array(select e::integer from jsonb_array_elements_text(g.matchers) as e)
        )
    ) then
        perform pg_advisory_xact_lock(7141885);
        insert into policy.rights_class (id, matchers)
        select f.id, n.matchers
        from (
            select x.matchers, row_number() over (order by x.matchers) as number
            from (
                select array(select e::integer from jsonb_array_elements_text(g.matchers) as e) as matchers
                from jsonb_array_elements(v_matchers) as g (matchers)
            ) as x
            where not exists (select from policy.rights_class as c where c.matchers = x.matchers)
        ) as n
        inner join (
            select i as id, row_number() over (order by i) as number
            from generate_series(0, (select count(*)::integer from policy.rights_class) + cardinality(v_meant)) as i
            where not exists (select from policy.rights_class as c where c.id = i)
        ) as f on f.number = n.number;
        perform policy.refresh_rights();
    end if;

    return query
    select g.meant, c.id
    from unnest(v_meant) with ordinality as g (meant, position)
    cross join lateral (
        select array(select e::integer from jsonb_array_elements_text(v_matchers -> (g.position - 1)::integer) as e) as matchers
    ) as x
    inner join policy.rights_class as c on c.matchers = x.matchers;
end
$function$;
comment on function policy.put_classes(bit varying[], integer[]) is
'Arguments: sets, one bit a matcher; ids of the matchers. Returns each distinct set with its rights class.';
