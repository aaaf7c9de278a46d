-- api.known_distributions: what another project has read is not told and not trusted: the caller reads the files, and
-- if the same comes out, it is stored once (api.store_distributions).
-- A distribution of which nothing could be read is read again, because the reason may be gone.
-- Definer: the caller names an environment of its own.
create or replace function api.known_distributions(environment bigint, digests bytea[])
returns table (digest bytea, content bytea)
language sql
volatile parallel unsafe security definer
rows 100
set search_path = pg_catalog, pg_temp
as $function$
    select knowledge.writable_environment(known_distributions.environment);
    select distinct on (d.digest) d.digest, d.content
    from knowledge.distribution as d
    where d.digest = any(known_distributions.digests)
        and (d.objects > 0 or cardinality(d.unread) = 0)
        and exists (
            select from knowledge.environment_distribution as h
            inner join knowledge.environment as e on e.id = h.environment_id
            where h.distribution_id = d.id and (e.id = known_distributions.environment or e.project_id is null)
        )
    order by d.digest, d.id;
$function$;
comment on function api.known_distributions(bigint, bytea[]) is
'Finds distributions that do not have to be read again. Arguments: environment: id from put_environment; digests: for '
'each distribution, the SHA-256 of its files. Returns the given digests of those that are stored, each with the '
'SHA-256 of what is stored about the distribution. Raises QM403 principal_unknown, QM404 environment_not_found.';
grant execute on function api.known_distributions to qm_operator;
