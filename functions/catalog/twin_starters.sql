create or replace function catalog.twin_starters(p_origin_id bigint)
returns bigint[]
language sql
stable parallel safe security invoker
set search_path = pg_catalog, pg_temp
as $function$
    select array(
        select s.id
        from catalog.origin as s
        inner join catalog.item as x on x.origin_id = s.id and x.is_live
        inner join search.kind as k on k.name = x.kind and k.has_outcomes
        left join catalog.item as i
            on i.origin_id = p_origin_id
            and i.kind = x.kind
            and i.name = x.name
            and i.content_hash = x.content_hash
            and i.deprecated_at is null
        where s.is_starter and s.status <> 'removed' and s.id <> p_origin_id
        group by s.id
        having count(*) = count(i.id)
        order by s.id
    );
$function$;
comment on function catalog.twin_starters(bigint) is
'Finds the starters that an origin can replace. (A starter is a server that the service adds by itself.) The origin '
'offers every tool of such a starter, with the same definition. Argument p_origin_id: id of the origin. Returns the '
'ids of the starters that have not been removed.';
