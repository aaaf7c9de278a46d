-- policy.require_curator: operations that change lookup tables call this function.
create or replace function policy.require_curator()
returns void
language plpgsql
stable parallel safe security invoker
set search_path = pg_catalog, pg_temp
as $function$
declare
    v_principal_id constant bigint := policy.require_principal();
begin
    if not policy.is_curator() then
        perform core.fail(
            'curator_required',
            (
                select format('%s is not a curator of lookup tables', p.name)
                from policy.principal as p
                where p.id = v_principal_id
            )
        );
    end if;
end
$function$;
comment on function policy.require_curator() is
'Raises an error if the caller is not a curator, an operator or an administrator. The errors are QM403 '
'principal_unknown, curator_required.';
