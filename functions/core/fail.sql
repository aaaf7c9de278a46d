-- core.fail: the code and the default hint come from the registry (core.error_code), so that they always belong to the
-- slug.
create or replace function core.fail(
    p_slug text, p_message text, p_detail text default null, p_hint text default null
)
returns void
language plpgsql
stable parallel safe security invoker
set search_path = pg_catalog, pg_temp
as $function$
declare
    v_status integer;
    v_next_step text;
begin
    select e.status, e.next_step
    into v_status, v_next_step
    from core.error_code as e
    where e.slug = p_slug collate core.c_utf8;
    -- An empty detail is omitted, because psql would print an empty line for it.
    if p_detail is null then
        raise exception using
            errcode = 'QM' || coalesce(v_status, 500),
            constraint = p_slug,
            message = p_message,
            hint = coalesce(p_hint, v_next_step, '');
    end if;
    raise exception using
        errcode = 'QM' || coalesce(v_status, 500),
        constraint = p_slug,
        message = p_message,
        detail = p_detail,
        hint = coalesce(p_hint, v_next_step, '');
end
$function$;
comment on function core.fail(text, text, text, text) is
'Raises an error. Each type of error has a short name (slug) and an HTTP status. The SQLSTATE of the error is QM '
'followed by the HTTP status, such as QM404. The field "constraint" of the error contains the slug. Arguments: p_slug: '
'a slug in core.error_code; p_message: message that quotes the wrong value; p_detail: further details; p_hint: hint '
'for the caller (default: the next step in core.error_code).';
grant execute on function core.fail to qm_reader;
