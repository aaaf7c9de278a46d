-- lookup.curated: summarises the curations of a table, one line for each row.
create or replace function lookup.curated(p_table_id integer)
returns table (key text, aliases text[], is_retired boolean, provenance jsonb)
language sql
stable parallel safe security invoker
rows 100
set search_path = pg_catalog, pg_temp
as $function$
    select
        c.key,
        coalesce(array_agg(c.alias) filter (where c.kind = 'alias'), '{}'),
        bool_or(c.kind = 'retirement'),
        coalesce((array_agg(c.provenance) filter (where c.kind = 'provenance'))[1], '{}')
    from lookup.curation as c
    where c.table_id = p_table_id
    group by c.key;
$function$;
comment on function lookup.curated(integer) is
'Argument: table. Returns id of the row, added aliases, whether it is retired, attached provenance.';
