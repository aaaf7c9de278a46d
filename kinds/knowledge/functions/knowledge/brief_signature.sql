-- knowledge.brief_signature: lists of objects show this short form.
create or replace function knowledge.brief_signature(p_signature text)
returns text
language sql
immutable parallel safe security invoker
set search_path = pg_catalog, pg_temp
as $function$
    select case
        when length(p_signature) <= 200 then p_signature
        else coalesce(substring(left(p_signature, 199) from '^.+ '), left(p_signature, 199)) || '…'
    end;
$function$;
comment on function knowledge.brief_signature(text) is
'Shortens the signature of a function. Argument p_signature: the signature. Returns at most 200 characters. A longer '
'signature is cut between words, and ends with an ellipsis.';
grant execute on function knowledge.brief_signature to qm_reader;
