-- decisions.specificity: tells how closely a decision is about a path: null if it is not about the path, 0 if it is about
-- everything, and nearer to 1 the more folders its scope names. A decision is about the paths of its scope that its
-- check does not exclude.
create or replace function decisions.specificity(p_scope_kind text, p_scope_value text, p_check jsonb, p_path text)
returns real
language plpgsql
immutable parallel safe security invoker
set search_path = pg_catalog, pg_temp
as $function$
declare
    v_language constant text := decisions.language_of(p_path);
    -- A folder is meant by any file in it.
    v_path constant text := case when v_language is null then rtrim(p_path, '/') || '/_' else p_path end;
    v_is_test constant boolean := p_path ~ '(^|/)tests?/|(^|/)test_[^/]*$|_tests?\.py$|(^|/)(conftest|tests)\.py$';
    v_globs text[];
begin
    if p_scope_kind = 'language' and lower(p_scope_value) is distinct from coalesce(v_language, lower(p_scope_value)) then
        return null;
    end if;
    if p_scope_kind = 'path' then
        v_globs := array[p_scope_value];
    elsif p_scope_kind = 'module' then
        v_globs := array['**/' || replace(p_scope_value, '.', '/') || '/**', '**/' || replace(p_scope_value, '.', '/') || '.*'];
    end if;
    if v_globs is not null and not exists (select from unnest(v_globs) as g (glob) where v_path ~ decisions.glob_expression(g.glob)) then
        return null;
    end if;
    if p_check is not null then
        -- Every form of check is about Python.
        if v_language <> 'python' or (p_check ->> 'tests')::boolean <> v_is_test
            or exists (select from jsonb_array_elements_text(p_check -> 'except') as g (glob) where v_path ~ decisions.glob_expression(g.glob))
            or (
                p_check ? 'paths' and v_language is not null
                and not exists (select from jsonb_array_elements_text(p_check -> 'paths') as g (glob) where v_path ~ decisions.glob_expression(g.glob))
            )
        then
            return null;
        end if;
        v_globs := coalesce(v_globs, array(select jsonb_array_elements_text(p_check -> 'paths')));
    end if;
    return coalesce(
        (
            select max(1 - 1 / (1 + (select count(*) from regexp_matches(g.glob, '(?:^|/)[^/*?]+(?=/|$)', 'g'))::real))
            from unnest(v_globs) as g (glob)
        ), 0
    );
end
$function$;
comment on function decisions.specificity(text, text, jsonb, text) is
'Tells how closely a decision is about a path. Arguments: p_scope_kind, p_scope_value, p_check: columns of '
'decisions.decision; p_path: a file or folder below the root of the project. Returns null if the decision is not about '
'the path, 0 if it is about everything, and more (below 1) the more folders its scope names.';
grant execute on function decisions.specificity to qm_reader;
