create or replace function api.feature_names(kind text)
returns text[]
language plpgsql
stable parallel safe security definer
set search_path = pg_catalog, pg_temp
as $function$
declare
    v_names constant text[] := search.feature_names(feature_names.kind);
begin
    perform policy.require_principal();
    if v_names is null then
        perform search.refuse_kind(feature_names.kind);
    end if;
    return v_names;
end
$function$;
comment on function api.feature_names(text) is
'Lists the features that are used to score cards of one kind. Argument kind: kind of card. Returns the names of the '
'features, in the order in which lookup_examples and symbol_examples return the features. Raises QM404 kind_not_found.';
alter function api.feature_names owner to qm_reader;
grant execute on function api.feature_names to qm_user;
