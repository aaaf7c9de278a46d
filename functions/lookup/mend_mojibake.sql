-- lookup.mend_mojibake: UTF-8 that somebody has read as Latin-1, read right; any other text as it is.
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
comment on function lookup.mend_mojibake(text) is 'The text whose bytes in UTF-8 were taken for characters, or the argument.';
grant execute on function lookup.mend_mojibake to qm_user;
