-- api.list_missed_lookups: the libraries with the most requests come first.
create or replace function api.list_missed_lookups(maximum integer default 50)
returns table (library text, asked bigint, principals bigint, topics text[], last_asked_at timestamptz)
language sql
stable parallel safe security definer
rows 50
set search_path = pg_catalog, pg_temp
as $function$
    select policy.require_principal();
    select
        m.library,
        sum(m.asked),
        count(distinct m.principal_id),
        (array_agg(distinct m.topic) filter (where m.topic <> ''))[:5],
        max(m.asked_at)
    from knowledge.missed_lookup as m
    group by m.library
    order by 2 desc, 1
    limit list_missed_lookups.maximum;
$function$;
comment on function api.list_missed_lookups(integer) is
'Lists libraries that principals looked up although these libraries are not indexed. Argument maximum: maximum number '
'of rows. Returns for each library: the number of requests, the number of principals that sent these requests, up to '
'five of the requested topics, and the time of the last request. Can be null: topics.';
alter function api.list_missed_lookups owner to qm_reader;
grant execute on function api.list_missed_lookups to qm_operator;
