create or replace function decisions.language_of(p_path text)
returns text
language sql
immutable parallel safe security invoker
set search_path = pg_catalog, pg_temp
as $function$
    select case e.ending
        when 'py' then 'python'
        when 'pyi' then 'python'
        when 'js' then 'javascript'
        when 'jsx' then 'javascript'
        when 'ts' then 'typescript'
        when 'tsx' then 'typescript'
        when 'rs' then 'rust'
        when 'rb' then 'ruby'
        else e.ending
    end
    from (
        select coalesce(
            substring(lower(p_path collate core.c_utf8) from '\.([a-z0-9_+-]+)$'),
            -- Files that usually have no ending; any other name without one may be a folder.
            substring(
                lower(p_path collate core.c_utf8)
                from '(?:^|/)(dockerfile|containerfile|makefile|jenkinsfile|procfile|vagrantfile|gemfile|rakefile'
                    '|license|readme|changelog|codeowners)$'
            )
        ) as ending
    ) as e;
$function$;
comment on function decisions.language_of(text) is
'Determines the language of a file from its name. Argument p_path: path of the file. Returns the language that belongs '
'to the extension of the name. Returns the extension itself if it belongs to no known language. For a name without an '
'extension, returns the name in lower case if it is a well-known name, such as dockerfile, and otherwise null.';
grant execute on function decisions.language_of to qm_reader;
