-- core.require_past: a time up to one minute ahead is accepted, because clocks differ.
create or replace function core.require_past(p_as_of timestamptz)
returns timestamptz
language plpgsql
stable parallel safe security invoker
set search_path = pg_catalog, pg_temp
as $function$
begin
    if p_as_of > core.now() + interval '1 minute' then
        perform core.fail(
            'argument_invalid',
            format('as_of is in the future: %s', p_as_of),
            null,
            'Give a time in the past, or leave out as_of.'
        );
    end if;
    return p_as_of;
end
$function$;
comment on function core.require_past(timestamptz) is
'Raises QM422 argument_invalid if a time is in the future. Argument p_as_of: the time (null: now). Returns the '
'argument unchanged.';
grant execute on function core.require_past to qm_reader;
