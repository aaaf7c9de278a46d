create or replace function catalog.origin_id(p_name text)
returns bigint
language plpgsql
stable parallel safe security invoker
set search_path = pg_catalog, pg_temp
as $function$
declare
    v_id bigint;
    v_nearest text;
begin
    select o.id into v_id from catalog.origin as o where o.name = p_name and o.status <> 'removed';
    if v_id is null then
        select string_agg(n.name, ', ')
        into v_nearest
        from (
            select o.name
            from catalog.origin as o
            where o.status <> 'removed' and ext.similarity(lower(o.name), lower(p_name collate core.c_utf8)) > 0.2
            order by ext.similarity(lower(o.name), lower(p_name collate core.c_utf8)) desc, o.name
            limit 3
        ) as n;
        perform core.fail(
            'origin_not_found',
            format('there is no origin called %L', left(p_name, 100)),
            null,
            case when v_nearest is not null then format('Did you mean: %s?', v_nearest) end
        );
    end if;
    return v_id;
end
$function$;
comment on function catalog.origin_id(text) is
'Finds an origin that the caller may see. Argument p_name: name of the origin. Returns the id of the origin. Raises '
'QM404 origin_not_found, with the most similar names, if there is no such origin.';
grant execute on function catalog.origin_id to qm_reader;
