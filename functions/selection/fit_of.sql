-- selection.fit_of: tells how many right cards to expect in a list: the sum of the probabilities of its five most
-- probable cards. If it is low, probably nothing fits. The best probability alone is not sufficient: if three siblings
-- fit equally well, each of them has a low probability, although one of them is right.
create or replace function selection.fit_of(p_candidates selection.candidate[])
returns real
language sql
immutable parallel safe security invoker
set search_path = pg_catalog, pg_temp
as $function$
    select sum(t.probability)
    from (
        select c.probability
        from unnest(p_candidates) as c
        where c.probability is not null
        order by c.probability desc
        limit 5
    ) as t;
$function$;
comment on function selection.fit_of(selection.candidate[]) is
'Tells how many right cards to expect in a list: the sum of the probabilities of its five most probable cards. '
'Argument p_candidates: the candidates. Returns the expected number of right cards among the five most probable, or '
'null if no candidate has a probability.';
grant execute on function selection.fit_of to qm_reader;
