-- decisions.glob_parts: most globs consist of a beginning, one wildcard and an end. Other globs need a regular
-- expression, and compiling it takes far longer than all other steps of a comparison.
create or replace function decisions.glob_parts(
    p_glob text, out prefix text, out suffix text, out shape text, out expression text, out depth real
)
language plpgsql
immutable parallel safe security invoker
set search_path = pg_catalog, pg_temp
as $function$
declare
    v_rest text;
begin
    prefix := substring(p_glob from '^[^*?]*');
    suffix := substring(p_glob from '[^*?]*$');
    v_rest := substr(p_glob, length(prefix) + 1);
    shape := case
        when v_rest = '' then 'file'
        when v_rest ~ '^\*\*(/\*)?$' or v_rest ~ '^\*\*/\*[^*?/]+$' then 'tree'
        when v_rest ~ '^\*[^*?/]*$' then 'folder'
        when v_rest ~ '^\*\*/[^*?/]+$' and (prefix = '' or prefix like '%/') then 'name'
        else 'expression'
    end;
    if shape = 'file' then
        suffix := '';
    end if;
    expression := case shape when 'expression' then decisions.glob_expression(p_glob) else '' end;
    depth := 1 - 1 / (1 + (select count(*) from regexp_matches(p_glob, '(?:^|/)[^/*?]+(?=/|$)', 'g'))::real);
end
$function$;
comment on function decisions.glob_parts(text) is
'Splits a path pattern (glob) into parts, so that paths can be compared with the pattern quickly. Argument p_glob: the '
'glob. Returns the columns prefix, suffix, shape, expression and depth of the table decisions.place.';
