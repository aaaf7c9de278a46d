create or replace function core.require_between(
    p_what text, p_value numeric, p_low numeric, p_high numeric, p_hint text
)
returns void
language plpgsql
stable parallel safe security invoker
set search_path = pg_catalog, pg_temp
as $function$
begin
    if p_value is null or p_value not between p_low and p_high then
        perform core.fail(
            'argument_invalid',
            format('%s must be between %s and %s, got %s', p_what, p_low, p_high, coalesce(p_value::text, 'null')),
            null,
            p_hint
        );
    end if;
end
$function$;
comment on function core.require_between(text, numeric, numeric, numeric, text) is
'Raises QM422 argument_invalid if a number is null or out of range. Arguments: p_what: name of the number in the error '
'message; p_value: the number; p_low and p_high: smallest and largest number allowed; p_hint: sentence that says what '
'to send instead.';
grant execute on function core.require_between to qm_reader;
