create or replace function catalog.announce_networks(p_kind text, p_origin text)
returns integer
language sql
volatile parallel unsafe security invoker
set search_path = pg_catalog, pg_temp
as $function$
    select count(pg_notify('qm_origins', o.id::text))::integer
    from catalog.origin as o
    where p_kind = 'network' and o.transport in ('http', 'sse') and (p_origin is null or o.name = p_origin);
$function$;
comment on function catalog.announce_networks(text, text) is
'Informs the service processes, on channel qm_origins, about origins whose permitted networks have changed. Arguments: '
'p_kind: kind of the permission that was added or removed (the function sends messages only if the kind is network); '
'p_origin: name of the origin to which the permission belongs (null: all origins). Returns the number of messages.';
