-- lookup.gold_share: chooses the gold pairs for a run. It always chooses the same ones, so that runs differ by real
-- changes, not by chance.
create or replace function lookup.gold_share(p_table_id integer, p_most integer)
returns setof lookup.gold
language sql
stable parallel safe security invoker
rows 100
set search_path = pg_catalog, pg_temp
as $function$
    select g.*
    from lookup.gold as g
    where g.table_id = p_table_id
    order by sha256(convert_to(g.query, 'UTF8')), g.id
    limit p_most;
$function$;
comment on function lookup.gold_share(integer, integer) is 'Arguments: table; maximum number of pairs.';
