-- api.list_organisations: organisations and how many principals each has; executable by operators.
-- Definer because principals are counted that an operator does not see.
create or replace function api.list_organisations()
returns table (name text, description text, principals bigint, created_at timestamptz)
language sql
stable parallel safe security definer
set search_path = pg_catalog, pg_temp
as $function$
    select o.name, o.description, (select count(*) from policy.principal as p where p.organisation_id = o.id), o.created_at
    from policy.organisation as o
    where policy.require_principal() is not null
    order by o.name;
$function$;
comment on function api.list_organisations() is 'Name, description, number of principals, since when.';
grant execute on function api.list_organisations to qm_operator;
