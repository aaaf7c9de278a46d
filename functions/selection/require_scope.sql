-- selection.require_scope: each kind defines the meaning of the members of a scope in its candidates function
-- (search.feature_set). A scope can only restrict a search, because these functions return visible cards only. The
-- limit on the size of a scope leaves room for about 10,000 ids.
create or replace function selection.require_scope(p_scope jsonb)
returns jsonb
language plpgsql
stable parallel safe security invoker
set search_path = pg_catalog, pg_temp
as $function$
declare
    v_longest constant integer := 100000;
begin
    if p_scope is null or jsonb_typeof(p_scope) = 'null' then
        return '{}'::jsonb;
    end if;
    if length(p_scope::text) > v_longest then
        perform core.fail(
            'argument_invalid',
            format('scope is longer than %s characters', v_longest),
            null,
            'Send fewer ids, or omit scope to search all cards that you may see.'
        );
    end if;
    if jsonb_typeof(p_scope) <> 'object'
        or jsonb_path_exists(p_scope, 'strict $.* ? (@.type() <> "string" && @.type() <> "array")')
        or exists (
            select from jsonb_each(p_scope) as m (name, value)
            cross join lateral jsonb_array_elements(
                case jsonb_typeof(m.value) when 'array' then m.value else '[]' end
            ) as e (id)
            where e.id::text !~ '^[0-9]{1,18}$' -- a text keeps its quotes, and 1.0 its point
        )
    then
        perform core.fail(
            'argument_invalid',
            'scope must be an object whose values are texts or lists of ids',
            null,
            'Correct the scope, or omit it to search all cards that you may see.'
        );
    end if;
    return p_scope;
end
$function$;
comment on function selection.require_scope(jsonb) is
'Checks the scope of a search. Argument p_scope: the scope as a JSON object (null: no scope). Returns the scope. '
'Returns an empty object for null. Raises QM422 argument_invalid if the scope is invalid or longer than 100,000 '
'characters.';
grant execute on function selection.require_scope to qm_reader;
