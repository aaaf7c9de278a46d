create or replace function policy.find_principal(p_name text)
returns bigint
language plpgsql
stable parallel safe security invoker
set search_path = pg_catalog, pg_temp
as $function$
declare
    v_id bigint;
begin
    select p.id into v_id from policy.principal as p where p.name = p_name;
    if v_id is null then
        perform core.fail('principal_not_found', format('there is no principal called %L', left(p_name, 200)));
    end if;
    return v_id;
end
$function$;
comment on function policy.find_principal(text) is
'Finds an enabled or disabled principal. Argument p_name: name of the principal. Returns the id of the principal. '
'Raises QM404 principal_not_found if there is no such principal.';
grant execute on function policy.find_principal to qm_reader;
