-- Takes back what default privileges gave to others: only a superuser can create functions in PL/Python, and his default
-- privileges apply to them before they are given to the owner.
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
