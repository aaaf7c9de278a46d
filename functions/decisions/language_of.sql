-- decisions.language_of: names the language of a file by the ending of its name, or by the whole name.
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
            substring(lower(p_path) from '\.([a-z0-9_+-]+)$'),
            -- Files that usually have no ending; any other name without one may be a folder.
            substring(lower(p_path) from '(?:^|/)(dockerfile|containerfile|makefile|jenkinsfile|procfile|vagrantfile|gemfile|rakefile|license|readme|changelog|codeowners)$')
        ) as ending
    ) as e;
$function$;
comment on function decisions.language_of(text) is
'Finds out the language of a file from its name. Argument p_path: path of the file. Returns the language that belongs '
'to the ending of the name, or to the whole name, such as dockerfile. Returns the ending if the ending belongs to no '
'known language. Returns null if the name has no ending.';
grant execute on function decisions.language_of to qm_reader;
