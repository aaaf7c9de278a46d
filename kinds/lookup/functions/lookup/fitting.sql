create or replace function lookup.fitting(p_candidates lookup.candidate[], p_facts text[])
returns real[]
language sql
immutable parallel safe security invoker
set search_path = pg_catalog, pg_temp
as $function$
    select array(
        select (
            count(distinct a.property) filter (where a.fact = any(c.facts)) / count(distinct a.property)::real
        )::real
        from unnest(p_candidates) with ordinality as c
        cross join (select f.fact, split_part(f.fact, '=', 1) as property from unnest(p_facts) as f (fact)) as a
        group by c.ordinality
        order by c.ordinality
    );
$function$;
comment on function lookup.fitting(lookup.candidate[], text[]) is
'Computes how well rows fit requested properties. Arguments: p_candidates: the names of the rows; p_facts: the '
'requested facts, each as PROPERTY=VALUE. Returns for each name, in the given order, the share of the requested '
'properties for which its row has a requested value (0 to 1).';
grant execute on function lookup.fitting to qm_reader;
