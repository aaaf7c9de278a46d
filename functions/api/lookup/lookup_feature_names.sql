-- api.lookup_feature_names: what the learned score of lookup tables looks at, in the order of the arrays of api.lookup_examples.
create or replace function api.lookup_feature_names()
returns text[]
language sql
immutable parallel safe security invoker
set search_path = pg_catalog, pg_temp
as $function$
    select lookup.feature_names();
$function$;
comment on function api.lookup_feature_names() is 'Names of the features, in the order of the arrays that lookup_examples returns.';
grant execute on function api.lookup_feature_names to qm_user;
