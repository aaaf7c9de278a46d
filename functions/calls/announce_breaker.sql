-- calls.announce_breaker: announces the state of a breaker to every service process, on channel qm_breakers.
create or replace function calls.announce_breaker(p_origin_id bigint)
returns void
language sql
volatile parallel unsafe security invoker
set search_path = pg_catalog, pg_temp
as $function$
    select pg_notify(
        'qm_breakers',
        jsonb_build_object('origin_id', b.origin_id, 'state', b.state, 'until', b.open_until, 'because', b.because)::text
    )
    from calls.breaker as b
    where b.origin_id = p_origin_id;
$function$;
comment on function calls.announce_breaker(bigint) is
'Announces the state of a breaker to every service process, on channel qm_breakers. Argument p_origin_id: id of the '
'origin. The payload is JSON with origin_id, state, until and because.';
