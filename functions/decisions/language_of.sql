-- decisions.language_of: names the language of a file by the ending of its name.
create or replace function decisions.language_of(p_path text)
returns text
language sql
immutable parallel safe security invoker
set search_path = pg_catalog, pg_temp
as $function$
    select case lower(substring(p_path from '\.([A-Za-z0-9]+)$'))
        when 'py' then 'python'
        when 'pyi' then 'python'
        when 'js' then 'javascript'
        when 'jsx' then 'javascript'
        when 'ts' then 'typescript'
        when 'tsx' then 'typescript'
        when 'rs' then 'rust'
        when 'rb' then 'ruby'
        else lower(substring(p_path from '\.([A-Za-z0-9]+)$'))
    end;
$function$;
comment on function decisions.language_of(text) is
'Names the language of a file by the ending of its name. Returns the ending itself if it is not known, and null if '
'there is none.';
grant execute on function decisions.language_of to qm_reader;
