-- lookup.repeating: lookup.features calls this function only for queries in which a word occurs twice.
create or replace function lookup.repeating(p_candidates lookup.candidate[])
returns integer[]
language sql
immutable parallel safe security invoker
set search_path = pg_catalog, pg_temp
as $function$
    select array(
        select (select (count(*) > count(distinct x.word))::integer from string_to_table(c.label, ' ') as x (word))
        from unnest(p_candidates) with ordinality as c
        order by c.ordinality
    );
$function$;
comment on function lookup.repeating(lookup.candidate[]) is
'Finds out which names contain a word twice. Argument p_candidates: the names. Returns 1 or 0 for each name, in their '
'order.';
grant execute on function lookup.repeating to qm_reader;
