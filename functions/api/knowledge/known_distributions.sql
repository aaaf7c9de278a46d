-- api.known_distributions: says which of the given distributions are stored, so that they are not read again.
-- The function runs with the rights of its owner (security definer), because a distribution is stored once for all
-- environments that hold the same files; whoever knows the digest has the files.
create or replace function api.known_distributions(digests bytea[])
returns setof bytea
language plpgsql
volatile parallel unsafe security definer
rows 100
set search_path = pg_catalog, pg_temp
as $function$
begin
    perform policy.require_principal();
    return query
    select distinct d.digest from knowledge.distribution as d where d.digest = any(known_distributions.digests);
end
$function$;
comment on function api.known_distributions(bytea[]) is
'Says which distributions are stored. Argument digests: SHA-256 of their files. Returns those that are stored.';
grant execute on function api.known_distributions to qm_operator;
