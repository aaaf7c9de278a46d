create or replace function api.normalize(
    text text, ops text[] default '{ligatures,mojibake,deaccent,lower,digits,punctuation,collapse_ws,trim}'
)
returns text
language plpgsql
stable parallel safe security definer
set search_path = pg_catalog, pg_temp
as $function$
begin
    perform policy.require_principal();
    return lookup.normalize($1, $2);
end
$function$;
comment on function api.normalize(text, text[]) is
'Converts a text to the canonical form in which names of rows and queries are compared. Arguments: text: text to '
'normalise; ops: steps to perform. The steps are always performed in this order: mojibake (repairs UTF-8 that was read '
'as Latin-1), ligatures (NFKC), deaccent, lower, digits (makes numbers of three or more digits separate words), '
'punctuation (replaces punctuation with spaces), collapse_ws, trim. Returns the normalised text. Raises QM422 '
'argument_invalid.';
alter function api.normalize owner to qm_reader;
grant execute on function api.normalize to qm_user;
