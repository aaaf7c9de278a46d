-- policy.put_principal: makes or renews a principal; run by the installer and administrators.
-- Writes: policy.principal.
create or replace function policy.put_principal(
    p_name text, p_kind text, p_role text, p_database_role text default null
)
returns bigint
language sql
volatile parallel unsafe security invoker
set search_path = pg_catalog, pg_temp
as $function$
    insert into policy.principal as p (name, kind, role, database_role)
    values (p_name, p_kind, p_role, p_database_role)
    on conflict (name) do update
    set kind = excluded.kind, role = excluded.role, database_role = excluded.database_role
    returning p.id;
$function$;
comment on function policy.put_principal(text, text, text, text) is
'Makes or renews a principal. Arguments: name, kind (person, agent, service), role (user, operator, admin), login role of psql sessions or null. Returns its id.';
