-- Revokes EXECUTE on all our functions from everybody; the file of each function grants it again.
do $do$
declare
    v_schema name;
    v_function regprocedure;
begin
    for v_schema in
        select n.nspname from pg_catalog.pg_namespace as n where n.nspowner = 'qm_owner'::regrole
    loop
        execute pg_catalog.format(
            'revoke all on all functions in schema %I'
            ' from public, qm_service, qm_reader, qm_user, qm_operator, qm_admin', v_schema
        );
    end loop;
    -- Whoever replaces a function must be allowed to run it.
    for v_function in select p.oid from pg_catalog.pg_proc as p where p.proowner = 'qm_reader'::regrole loop
        execute pg_catalog.format('grant execute on function %s to qm_reader', v_function);
    end loop;
end
$do$;
