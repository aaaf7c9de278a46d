-- decisions.fits: tells whether a glob fits a path. Most globs are refused by their beginning, because compiling a
-- regular expression takes far longer.
create or replace function decisions.fits(p_glob text, p_path text)
returns boolean
language plpgsql
immutable parallel safe security invoker
set search_path = pg_catalog, pg_temp
as $function$
begin
    if not p_path ^@ substring(p_glob from '^[^*?]*') then
        return false;
    end if;
    return p_path ~ decisions.glob_expression(p_glob);
end
$function$;
comment on function decisions.fits(text, text) is
'Tells whether a glob fits a path. Arguments: p_glob: the glob; p_path: the path.';
grant execute on function decisions.fits to qm_reader;
