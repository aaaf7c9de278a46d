-- api.known_distributions: says which of the given distributions are stored, so that they are not read again.
create or replace function api.known_distributions(digests bytea[])
returns table (id bigint, digest bytea)
language plpgsql
stable parallel unsafe security definer
set search_path = pg_catalog, pg_temp
as $function$
begin
    perform policy.require_principal();
    return query
    select d.id, d.digest from knowledge.distribution as d where d.digest = any(known_distributions.digests);
end
$function$;
comment on function api.known_distributions(bytea[]) is
'Says which distributions are stored. Argument digests: SHA-256 of their files. Returns the ids of those that are stored.';
grant execute on function api.known_distributions to qm_operator;
