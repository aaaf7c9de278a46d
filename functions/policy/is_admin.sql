-- policy.is_admin: tells whether the caller is an administrator.
create or replace function policy.is_admin()
returns boolean
language sql
stable parallel safe security invoker
set search_path = pg_catalog, pg_temp
as $function$
    select exists (select from policy.principal as p where p.id = policy.principal_id() and p.role = 'admin');
$function$;
comment on function policy.is_admin() is 'Returns true for administrators.';
