-- Writes: calls.answer.
create or replace function service.keep_page(call_id bigint, started_at timestamptz, document text, media_type text)
returns text
language plpgsql
volatile parallel unsafe security definer
set search_path = pg_catalog, pg_temp
as $function$
declare
    v_principal_id constant bigint := policy.require_service();
    v_keep constant interval := (core.get_setting('answer.keep_pages') #>> '{}')::interval;
    v_handle constant text := replace(gen_random_uuid()::text, '-', '');
begin
    if octet_length(keep_page.document) > core.get_setting('answer.largest')::bigint then
        perform core.fail(
            'result_not_kept',
            format(
                'the result has %s bytes; the limit is %s',
                octet_length(keep_page.document),
                core.get_setting('answer.largest')
            )
        );
    end if;
    insert into calls.answer (
        kind, principal_id, item_id, name, request_hash, call_id, called_at, body, media_type, created_at, expires_at
    )
    select
        'page',
        v_principal_id,
        c.ref,
        v_handle,
        '',
        c.id,
        c.started_at,
        keep_page.document,
        keep_page.media_type,
        core.now(),
        core.now() + v_keep
    from calls.call as c
    where c.id = keep_page.call_id
        and c.started_at = keep_page.started_at
        and c.principal_id = v_principal_id
        and c.ref is not null;
    if not found then
        perform core.fail('call_not_found', format('none of your calls has the id %s', keep_page.call_id));
    end if;
    return v_handle;
end
$function$;
comment on function service.keep_page(bigint, timestamptz, text, text) is
'Stores a large result, so that the caller can read the result page by page. Arguments: call_id: id of the call; '
'started_at: start time of the call; document: the result as text; media_type: media type of the result. Returns the '
'handle that api.read_page takes. Raises QM404 call_not_found, QM413 result_not_kept.';
grant execute on function service.keep_page to qm_user;
