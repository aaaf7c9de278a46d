create or replace function stats.require_listing(p_subject text, p_subjects text[], p_per text)
returns void
language plpgsql
immutable parallel safe security invoker
set search_path = pg_catalog, pg_temp
as $function$
begin
    if p_subject is null or p_subject <> all(p_subjects) then
        perform core.fail(
            'argument_invalid',
            format('statistics cannot be listed by %s', coalesce(quote_literal(p_subject), 'nothing')),
            null,
            format('Use one of: %s.', array_to_string(p_subjects, ', '))
        );
    end if;
    if p_per not in ('hour', 'day') then
        perform core.fail(
            'argument_invalid',
            format('per must be hour, day or null, got %L', p_per),
            null,
            'Set per to "hour" or "day", or omit it to get totals.'
        );
    end if;
end
$function$;
comment on function stats.require_listing(text, text[], text) is
'Raises QM422 argument_invalid if there are no statistics for a subject (such as calls by tool) or a period. '
'Arguments: p_subject: the requested subject; p_subjects: the allowed subjects; p_per: length of the period: hour or '
'day (null: one period for all hours).';
grant execute on function stats.require_listing to qm_reader;
