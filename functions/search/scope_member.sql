-- search.scope_member: each candidates function (search.feature_set) defines which members of a scope it reads, and
-- their types. It ignores all other members, because they limit the searches of other kinds.
create or replace function search.scope_member(p_scope jsonb, p_member text, p_type text)
returns jsonb
language plpgsql
immutable parallel safe security invoker
set search_path = pg_catalog, pg_temp
as $function$
declare
    v_member constant jsonb := nullif(p_scope -> p_member, 'null');
begin
    if jsonb_typeof(v_member) <> p_type then
        perform core.fail(
            'argument_invalid',
            format('scope.%s must be of type %s, got: %s', p_member, p_type, left(v_member::text, 100)),
            null,
            'Correct this member, or omit scope to search all cards that you may see.'
        );
    end if;
    return v_member;
end
$function$;
comment on function search.scope_member(jsonb, text, text) is
'Reads a member of the scope of a search. Arguments: p_scope: the scope; p_member: name of the member; p_type: JSON '
'type that the member must have (string, number, boolean, array or object). Returns the member, or null if the scope '
'does not have it or if it is null in JSON. Raises QM422 argument_invalid if the member has another type.';
