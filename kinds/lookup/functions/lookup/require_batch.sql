create or replace function lookup.require_batch(p_batch jsonb, p_what text, p_hint text)
returns void
language plpgsql
stable parallel safe security invoker
set search_path = pg_catalog, pg_temp
as $function$
declare
    v_most constant integer := (core.get_setting('lookup.max_batch'))::integer;
begin
    if jsonb_typeof(p_batch) is distinct from 'array' then
        perform core.fail('argument_invalid', format('the %s must be a JSON array', p_what), null, p_hint);
    elsif jsonb_array_length(p_batch) > v_most then
        perform core.fail(
            'batch_too_large',
            format('a batch may have at most %3$s %2$s, got %1$s', jsonb_array_length(p_batch), p_what, v_most)
        );
    end if;
end
$function$;
comment on function lookup.require_batch(jsonb, text, text) is
'Raises an error if a batch is not an array or has too many elements. Arguments: p_batch: the batch; p_what: word for '
'the elements in the error message; p_hint: sentence that says what to send instead. The errors are QM413 '
'batch_too_large, QM422 argument_invalid.';
grant execute on function lookup.require_batch to qm_reader;
