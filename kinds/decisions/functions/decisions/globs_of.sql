-- decisions.globs_of: every decision has a glob. The glob of a decision about everything, or about a language, is **.
create or replace function decisions.globs_of(p_scope_kind text, p_scope_value text, p_check jsonb)
returns table (role text, glob text)
language sql
immutable parallel safe security invoker
rows 3
set search_path = pg_catalog, pg_temp
as $function$
    select 'scope', s.glob
    from unnest(case p_scope_kind
        when 'path' then array[p_scope_value]
        when 'module'
            then array[
                '**/' || replace(p_scope_value, '.', '/') || '/**', '**/' || replace(p_scope_value, '.', '/') || '.*'
            ]
        else '{**}'
    end) as s (glob)
    union
    select case c.key when 'paths' then 'check' else 'except' end, g.glob
    from jsonb_each(p_check) as c
    cross join lateral jsonb_array_elements_text(
        case when c.key in ('paths', 'except') then c.value else '[]' end
    ) as g (glob);
$function$;
comment on function decisions.globs_of(text, text, jsonb) is
'Lists the path patterns (globs) of a decision. Arguments: p_scope_kind, p_scope_value and p_check: the columns '
'scope_kind, scope_value and check of the decision. Returns for each glob the glob and its role: scope, check or '
'except (see decisions.place).';
