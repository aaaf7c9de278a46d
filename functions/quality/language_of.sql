-- quality.language_of: tells by its path which checkers are meant for a file.
create or replace function quality.language_of(p_path text)
returns text
language sql
immutable parallel safe security invoker
set search_path = pg_catalog, pg_temp
as $function$
    select case
        when p_path ~* '\.pyi?$' then 'python'
        when p_path ~* '\.(js|jsx|mjs|cjs|ts|tsx|vue|go|rs|java|kt|c|h|cc|cpp|hpp|cs|rb|php|swift|scala|lua)$' then 'other'
        when p_path ~* '\.(sh|bash|zsh|ksh|fish|ps1|psm1|pl|pm|ex|exs|svelte|sql|groovy|dart)$' then 'script'
        when p_path ~* '(^|/)([^/]*dockerfile[^/]*|containerfile|(docker-)?compose[^/]*\.ya?ml)$' then 'config'
        else 'text'
    end;
$function$;
comment on function quality.language_of(text) is
'Finds out from the path of a file the kind of language in which the file is written. Argument p_path: path of the '
'file. Returns one of these words: python; other (a programming language that lizard reads); script (a language that no '
'checker reads); config (a Dockerfile or compose file); text.';
grant execute on function quality.language_of to qm_reader;
