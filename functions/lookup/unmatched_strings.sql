-- lookup.unmatched_strings: lists recent queries to a table without a match, if receipts keep their strings.
create or replace function lookup.unmatched_strings(p_table_id integer)
returns jsonb
language sql
stable parallel safe security invoker
set search_path = pg_catalog, pg_temp
as $function$
    select coalesce(jsonb_object_agg(s.query, s.times), '{}')
    from (
        select r.goal as query, count(*) as times
        from selection.receipt as r
        inner join lookup.lookup_table as t on t.name = r.origin
        where t.id = p_table_id and r.kind = 'lookup' and r.goal_hash is not null and r.created_at > core.now() - interval '90 days'
            and r.goal is not null and not r.detail ? 'error' and not (r.detail ->> 'match')::boolean
        group by r.goal
        order by 2 desc, 1
        limit 300
    ) as s;
$function$;
comment on function lookup.unmatched_strings(integer) is
'Argument: table. Returns {string: how many times} for the last 90 days, the 300 most frequent.';
