create or replace function core.our_roles()
returns table (oid oid, name name)
language sql
stable parallel safe security invoker
rows 7
set search_path = pg_catalog, pg_temp
as $function$
    select r.oid, r.rolname
    from pg_roles as r
    where r.rolname = any('{qm_owner,qm_reader,qm_user,qm_operator,qm_admin,qm_service}')
    union all
    select 0::oid, 'public'::name;
$function$;
comment on function core.our_roles() is
'Lists the roles of Quartermaster that exist on the server, and public. Returns the oid and the name of each role.';
