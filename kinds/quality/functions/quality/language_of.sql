create or replace function quality.language_of(p_path text)
returns text
language sql
immutable parallel safe security invoker
set search_path = pg_catalog, pg_temp
as $function$
    select case
        when p_path ~* '\.py[iw]?$' collate core.c_utf8 then 'python'
        when p_path ~* '\.(js|jsx|mjs|cjs|ts|tsx|vue|go|rs|java|kt|c|h|cc|cpp|hpp|cs|rb|php|swift|scala'
            '|lua)$' collate core.c_utf8
            then 'other'
        when
            p_path ~* '\.(sh|bash|zsh|ksh|fish|ps1|psm1|bat|cmd|awk|tcl|pl|pm|ex|exs|erl|hrl|svelte|sql|groovy|gradle'
                '|kts|dart|mts|cts|coffee|cxx|hh|hxx|m|mm|asm|f90|pas|vb|vbs|fs|fsx|hs|lhs|ml|mli|clj|cljs|cljc|el|lisp'
                '|r|jl|zig|nim|cr|sol|pyx|pxd|pxi|ipynb|jsp|erb|phtml)$' collate core.c_utf8
            then 'script'
        when p_path ~* '(^|/)([^/]*dockerfile[^/]*|containerfile|(docker-)?compose[^/]*\.ya?ml)$' collate core.c_utf8
            then 'config'
        -- A file without a suffix may be a program. Only its content would tell.
        when
            p_path ~ '(^|/)[^./]+$'
            and p_path !~* '(^|/)(readme|licen[sc]e|copying|notice|authors|contributors|maintainers|codeowners'
                '|changelog|changes|history|news|todo|install|version|manifest|pkg-info)$' collate core.c_utf8
            then 'script'
        else 'text'
    end;
$function$;
comment on function quality.language_of(text) is
'Finds out from the path of a file the kind of language in which the file is written. Argument p_path: path of the '
'file. Returns one of these words: python; other (a programming language that lizard reads); script (a language that '
'no checker reads, or a file without a suffix, which may be a program); config (a Dockerfile or compose file); text.';
grant execute on function quality.language_of to qm_reader;
