-- Revokes EXECUTE on all our functions from everybody, and makes qm_owner the owner of the functions in our schemas.
-- The file of each function then grants EXECUTE again, and may make qm_reader the owner again. Functions of other
-- owners stay as they are.
do $do$
declare
    v_others constant text := pg_catalog.array_to_string(
        pg_catalog.array_remove(pg_catalog.string_to_array(pg_catalog.current_setting('qm.roles'), ','), 'qm_owner'), ', '
    );
    v_functions text;
    v_function regprocedure;
begin
    for v_function in
        select p.oid
        from pg_catalog.pg_proc as p
        where
            p.proowner = 'qm_reader'::regrole
            and p.pronamespace::regnamespace::text
            = any(pg_catalog.string_to_array(pg_catalog.current_setting('qm.schemas'), ','))
    loop
        execute pg_catalog.format('alter function %s owner to qm_owner', v_function);
    end loop;
    select pg_catalog.string_agg(p.oid::regprocedure::text, ', ')
    into v_functions
    from pg_catalog.pg_proc as p
    inner join pg_catalog.pg_namespace as n on n.oid = p.pronamespace
    where n.nspowner = 'qm_owner'::regrole and p.proowner in ('qm_owner'::regrole, 'qm_reader'::regrole);
    if v_functions is not null then
        execute pg_catalog.format(
            'revoke all on routine %s from public, %s', v_functions, v_others
        );
    end if;
    -- Whoever replaces a function of a kind folder must be allowed to run it.
    for v_function in select p.oid from pg_catalog.pg_proc as p where p.proowner = 'qm_reader'::regrole loop
        execute pg_catalog.format('grant execute on function %s to qm_reader', v_function);
    end loop;
end
$do$;
