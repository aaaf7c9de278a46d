create or replace function decisions.scopes_overlap(p_one decisions.decision, p_other decisions.decision)
returns boolean
language sql
immutable parallel safe security invoker
set search_path = pg_catalog, pg_temp
as $function$
    select case
        when p_one.scope_kind <> p_other.scope_kind or p_one.scope_kind = 'global' then true
        when p_one.scope_kind = 'language' then lower(p_one.scope_value) = lower(p_other.scope_value)
        when p_one.scope_kind = 'module'
            then p_one.scope_value || '.' ^@ (p_other.scope_value || '.')
                or p_other.scope_value || '.' ^@ (p_one.scope_value || '.')
        else p_one.scope_prefix ^@ p_other.scope_prefix or p_other.scope_prefix ^@ p_one.scope_prefix
    end;
$function$;
comment on function decisions.scopes_overlap(decisions.decision, decisions.decision) is
'Checks whether two decisions may be about the same file. Arguments: p_one and p_other: the decisions. Returns true if '
'the two scopes are equal, if one scope contains the other scope, or if the scopes cannot be compared. Otherwise '
'returns false.';
