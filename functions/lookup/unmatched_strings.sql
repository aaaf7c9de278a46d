-- lookup.unmatched_strings: what a table was asked lately and had no match for, as far as the log of requests keeps the strings.
create or replace function lookup.unmatched_strings(p_table_id integer)
returns jsonb
language sql
stable parallel safe security invoker
set search_path = pg_catalog, pg_temp
as $function$
    select coalesce(jsonb_object_agg(s.query, s.times), '{}')
    from (
        select r.query, count(*) as times
        from lookup.request as r
        where r.table_id = p_table_id and r.at > core.now() - interval '90 days' and r.query is not null and r.error is null and not r.match
        group by r.query
        order by 2 desc, 1
        limit 300
    ) as s;
$function$;
comment on function lookup.unmatched_strings(integer) is 'Argument: table. Returns {string: how many times} of the last 90 days, the 300 most frequent.';
