-- Revokes EXECUTE on all our functions from everybody; the file of each function grants it again.
do $do$
declare
    v_schema name;
begin
    for v_schema in
        select n.nspname from pg_catalog.pg_namespace as n where n.nspowner = 'qm_owner'::regrole
    loop
        execute pg_catalog.format(
            'revoke all on all functions in schema %I'
            ' from public, qm_service, qm_reader, qm_user, qm_operator, qm_admin', v_schema
        );
    end loop;
end
$do$;
