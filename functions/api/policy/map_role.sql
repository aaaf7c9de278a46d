-- api.map_role: a login role acts as one principal. If this is the caller's own principal, the login role is moved to
-- the given principal. If it is any other principal, its mapping must be removed first.
-- Writes: policy.principal.
create or replace function api.map_role(name text, database_role text)
returns table (is_superuser boolean, next_steps text[])
language plpgsql
volatile parallel unsafe security definer
set search_path = pg_catalog, pg_temp
as $function$
declare
    v_self constant bigint := policy.require_principal();
    v_id bigint;
    v_login pg_roles;
begin
    v_id := policy.find_principal(map_role.name);
    select *
    into v_login
    from pg_roles as r
    where r.rolname = map_role.database_role collate "C" and r.rolname <> 'qm_service';
    if v_login.oid is null and map_role.database_role is not null then
        perform core.fail(
            'database_role_not_found', format('there is no login role called %L', map_role.database_role)
        );
    end if;
    perform from policy.principal as p where p.database_role = map_role.database_role and p.id not in (v_id, v_self);
    if found then
        perform core.fail(
            'database_role_taken',
            format('sessions of the login role %L already act as another principal', map_role.database_role)
        );
    end if;
    update policy.principal as p
    set database_role = null
    where p.id = v_self and p.database_role = map_role.database_role;
    update policy.principal as p set database_role = map_role.database_role where p.id = v_id;
    return query
    select
        v_login.rolsuper,
        array(
            select
                case
                    when w.rank = k.rank then format('grant %I to %I', w.name, v_login.rolname)
                    else format('revoke %I from %I', w.name, v_login.rolname)
                end
            from unnest(array['qm_user', 'qm_operator', 'qm_admin', 'qm_owner']) with ordinality as w (name, rank)
            where not v_login.rolsuper
                and case w.rank
                    when k.rank then not pg_has_role(v_login.oid, w.name::name, 'member')
                    else w.rank > k.rank and pg_has_role(v_login.oid, w.name::name, 'member')
                end
            order by w.rank
        ) || array(
            select format('alter role %I connection limit %s', v_login.rolname, n.most)
            from cast(core.get_setting('login.sessions') as integer) as n (most)
            where not v_login.rolsuper
                and p.role <> 'admin'
                and (v_login.rolconnlimit < 0 or v_login.rolconnlimit > n.most)
        ) || array(
            -- A database of our own has this setting for everybody.
            select format('alter role %I in database %I set search_path = api', v_login.rolname, current_database())
            where not v_login.rolsuper
                and not core.has_capability('own_database')
                and not exists (
                    select from pg_db_role_setting as s
                    cross join lateral unnest(s.setconfig) as c (line)
                    where s.setrole = v_login.oid and c.line like 'search\_path=%'
                )
        )
    from policy.principal as p
    cross join lateral array_position(array['user', 'operator', 'admin'], p.role) as k (rank)
    where p.id = v_id;
end
$function$;
comment on function api.map_role(text, text) is
'Lets database sessions (such as psql) under a login role act as a principal. Arguments: name: name of the principal; '
'database_role: name of the login role (null: no login role acts as the principal any longer). Returns whether the '
'login role is a superuser (no row policy restricts superusers), and SQL statements that the server administrator must '
'run. The statements grant the login role the role that the principal needs (qm_user, qm_operator or qm_admin), and '
'revoke higher roles. Unless the principal is an administrator, they also limit the number of connections of the login '
'role to the setting login.sessions. In a database that is shared with others, they also let the login role call '
'operations without the name of the schema. Raises QM403 principal_unknown, QM404 principal_not_found or '
'database_role_not_found, QM409 database_role_taken. Can be null: database_role.';
grant execute on function api.map_role to qm_admin;
