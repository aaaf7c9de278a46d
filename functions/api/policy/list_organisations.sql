-- Definer: operators see only their own row of policy.principal. From the other rows, they get only the number for each
-- organisation.
create or replace function api.list_organisations()
returns table (name text, description text, principals bigint, created_at timestamptz)
language sql
stable parallel safe security definer
set search_path = pg_catalog, pg_temp
as $function$
    select
        o.name,
        o.description,
        (select count(*) from policy.principal as p where p.organisation_id = o.id),
        o.created_at
    from policy.organisation as o
    where policy.require_principal() is not null
    order by o.name;
$function$;
comment on function api.list_organisations() is
'Lists the organisations. Returns for each organisation: the name, the description, the number of principals, and the '
'creation time.';
grant execute on function api.list_organisations to qm_operator;
