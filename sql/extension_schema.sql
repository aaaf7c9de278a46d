-- Creates the schema ext for the extensions, unless all of them are already in other schemas. No other role may create
-- objects in ext (checks/0016_extensions_are_not_shadowed.sql).
do $do$
declare
    v_grantee name;
begin
    if
        pg_catalog.to_regnamespace('ext') is null
        and 3 > (
            select pg_catalog.count(*) from pg_catalog.pg_extension as e
            where e.extname = any('{vector,pg_trgm,unaccent}')
        )
    then
        create schema ext;
        -- The administrator's default privileges would give others rights in it.
        for v_grantee in
            select r.rolname
            from pg_catalog.pg_namespace as n
            cross join lateral pg_catalog.aclexplode(n.nspacl) as a
            inner join pg_catalog.pg_roles as r on r.oid = a.grantee
            where n.nspname = 'ext' and a.grantee <> n.nspowner
        loop
            execute pg_catalog.format('revoke all on schema ext from %I', v_grantee);
        end loop;
        revoke all on schema ext from public;
    end if;
end
$do$;
