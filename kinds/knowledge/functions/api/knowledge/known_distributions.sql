-- api.known_distributions: distributions that only other projects have read are not returned, because the caller must
-- not learn about them, and their data are not trusted. The caller then reads the files itself. If the result is the
-- same, it is stored only once (api.store_distributions). A distribution is also not returned if nothing could be read
-- of it. The caller reads its files again, because reading may succeed now.
-- Definer: callers get no more than with their own rights, because the function returns only distributions of
-- environments that everybody sees, and of the given environment, which the caller may change
-- (knowledge.writable_environment).
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
'Finds distributions whose files the caller need not read again. Arguments: environment: id from put_environment; '
'digests: for each distribution, the SHA-256 of its files. Returns the given digests of the stored distributions, each '
'with the SHA-256 of the stored data. Raises QM403 principal_unknown, QM404 environment_not_found.';
grant execute on function api.known_distributions to qm_operator;
