-- lookup.mend_mojibake: repairs UTF-8 that was read as Latin-1; other texts stay as they are.
create or replace function lookup.mend_mojibake(p_text text)
returns text
language plpgsql
stable parallel safe security invoker
set search_path = pg_catalog, pg_temp
as $function$
begin
    return convert_from(convert_to(p_text, 'LATIN1'), 'UTF8');
exception
    when character_not_in_repertoire or untranslatable_character then
        return p_text;
end
$function$;
comment on function lookup.mend_mojibake(text) is
'Repairs a text whose UTF-8 was read as Latin-1. Argument p_text: the text. Returns the repaired text. Returns any '
'other text unchanged.';
grant execute on function lookup.mend_mojibake to qm_reader;
