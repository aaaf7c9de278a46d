-- api.read_page: to the caller, a handle of another principal looks like a handle that does not exist.
create or replace function api.read_page(handle text, start bigint default 0, maximum integer default null)
returns table (page text, characters bigint, next_start bigint, media_type text, expires_at timestamptz, tool text)
language plpgsql
stable parallel safe security definer
rows 1
set search_path = pg_catalog, pg_temp
as $function$
declare
    v_principal_id constant bigint := policy.require_principal();
    v_most integer;
begin
    select
        a.media_type,
        a.expires_at,
        i.public_name,
        length(a.body),
        coalesce(read_page.maximum, (catalog.call_terms(i.id) ->> 'page_characters')::integer)
    into media_type, expires_at, tool, characters, v_most
    from calls.answer as a
    inner join catalog.item as i on i.id = a.item_id
    where a.kind = 'page'
        and a.name = read_page.handle
        and a.principal_id = v_principal_id
        and a.expires_at > core.now()
        and i.is_live
        and policy.is_visible(i.rights_class, (select policy.visible_classes()));
    if media_type is null then
        perform core.fail(
            'result_not_found', format('none of your stored results has the id %L', left(read_page.handle, 100))
        );
    end if;
    if read_page.start is null or read_page.start < 0 or read_page.start > characters or v_most < 1 then
        perform core.fail(
            'argument_invalid', format('start must be between 0 and %s, got %s', characters, read_page.start)
        );
    end if;
    select substr(a.body, read_page.start::integer + 1, v_most)
    into page
    from calls.answer as a
    where a.kind = 'page' and a.name = read_page.handle and a.principal_id = v_principal_id;
    next_start := nullif(least(read_page.start + v_most, characters), characters);
    return next;
end
$function$;
comment on function api.read_page(text, bigint, integer) is
'Returns a part of a large result. Only the principal whose call produced the result can read it, and only while the '
'result is stored and this principal may call the tool. Arguments: handle: handle of the result; start: position of '
'the first character of the part, from 0; maximum: maximum number of characters in the part (default: the limit in the '
'tool''s terms). Returns: the part; the total number of characters of the result; the position at which the next part '
'starts (null: this part is the last); the media type; the time at which the result will be deleted; and the tool. '
'Raises QM404 result_not_found, QM422 argument_invalid. Can be null: next_start.';
grant execute on function api.read_page to qm_user;
