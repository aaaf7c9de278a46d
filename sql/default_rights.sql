-- Revokes rights on functions in PL/Python that default privileges have given to other roles. Only a superuser can
-- create such functions. So the superuser owns them first, and the superuser's default privileges apply; then qm_owner
-- becomes the owner.
do $do$
declare
    v_given record;
begin
    for v_given in
        select distinct p.oid::regprocedure as function, r.rolname as role
        from pg_proc as p
        inner join pg_language as l on l.oid = p.prolang
        cross join lateral aclexplode(p.proacl) as g
        inner join pg_roles as r on r.oid = g.grantee
        cross join pg_default_acl as d
        cross join lateral aclexplode(d.defaclacl) as a
        where
            p.proowner = 'qm_owner'::regrole and l.lanname = 'plpython3u' and d.defaclobjtype = 'f'
            and d.defaclrole <> p.proowner and a.grantee = g.grantee and r.rolname !~ '^qm_'
            and a.grantee <> d.defaclrole
    loop
        execute format('revoke all on function %s from %I', v_given.function, v_given.role);
    end loop;
end
$do$;
