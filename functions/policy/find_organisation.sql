create or replace function policy.find_organisation(p_name text)
returns bigint
language plpgsql
stable parallel safe security invoker
set search_path = pg_catalog, pg_temp
as $function$
declare
    v_id bigint;
begin
    select o.id into v_id from policy.organisation as o where o.name = p_name;
    if v_id is null and p_name is not null then
        perform core.fail('organisation_not_found', format('there is no organisation called %L', left(p_name, 200)));
    end if;
    return v_id;
end
$function$;
comment on function policy.find_organisation(text) is
'Finds an organisation. Argument p_name: name of the organisation (null: no organisation). Returns the id of the '
'organisation. Returns null if p_name is null. Raises QM404 organisation_not_found.';
grant execute on function policy.find_organisation to qm_reader;
