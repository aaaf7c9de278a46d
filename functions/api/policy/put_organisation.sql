-- Writes: policy.organisation.
create or replace function api.put_organisation(name text, description text default '')
returns bigint
language plpgsql
volatile parallel unsafe security definer
set search_path = pg_catalog, pg_temp
as $function$
declare
    v_id bigint;
begin
    perform policy.require_principal();
    if coalesce(put_organisation.name, '') = '' or length(put_organisation.name) > 200 then
        perform core.fail('organisation_invalid', 'the name of an organisation must be 1 to 200 characters long');
    end if;
    insert into policy.organisation as o (name, description, created_at)
    values (put_organisation.name, coalesce(put_organisation.description, ''), core.now())
    on conflict on constraint organisation_name_key do update set description = excluded.description
    returning o.id into v_id;
    return v_id;
end
$function$;
comment on function api.put_organisation(text, text) is
'Creates an organisation, or changes the description of an organisation. Arguments: name: name of the organisation; '
'description: description of the organisation. Returns the id of the organisation. Raises QM422 organisation_invalid.';
grant execute on function api.put_organisation to qm_admin;
