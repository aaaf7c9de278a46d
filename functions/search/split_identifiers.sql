-- search.split_identifiers: getCurrentTime becomes "get Current Time"; get_current_time and get-current-time become
-- "get current time". An s after capitals counts as a plural ending: HTTPServer is split, but APIs is not.
create or replace function search.split_identifiers(p_text text)
returns text
language sql
immutable parallel safe security invoker
set search_path = pg_catalog, pg_temp
as $function$
    select regexp_replace(
        regexp_replace(translate(p_text, '_-', '  '), '([a-z0-9])([A-Z])', '\1 \2', 'g'),
        '([A-Z])([A-Z][a-rt-z]|[A-Z]s[a-z])',
        '\1 \2',
        'g'
    );
$function$;
comment on function search.split_identifiers(text) is
'Splits the identifiers in a text into words. Argument p_text: the text. Returns the text, with spaces between the '
'words of snake_case, kebab-case and camelCase.';
grant execute on function search.split_identifiers to qm_reader;
