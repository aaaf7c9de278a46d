-- policy.act_for: for what tells an operator what another principal would see. It gives no right that the session does
-- not have: the setting qm.principal counts only for the service's login, which sets it for each transaction anyway.
-- Definer: other principals have a row policy.
create or replace function policy.act_for(p_name text)
returns boolean
language plpgsql
volatile parallel unsafe security definer
set search_path = pg_catalog, pg_temp
as $function$
declare
    v_caller_id constant bigint := policy.require_principal();
    v_id bigint;
begin
    if exists (select from policy.principal as p where p.id = v_caller_id and p.name = p_name) then
        return true;
    end if;
    if not policy.has_role('operator') then
        return false;
    end if;
    v_id := policy.find_principal(p_name);
    perform set_config('qm.principal', v_id::text, true);
    if policy.principal_id() is distinct from v_id then
        perform core.fail(
            'argument_invalid',
            format('this session cannot act for %L', left(p_name, 200)),
            null,
            case session_user
                when 'qm_service' then 'Enable the principal with: qm principal enable NAME.'
                else 'Only the service can search for somebody else: qm tool why GOAL TOOL --as NAME.'
            end
        );
    end if;
    return true;
end
$function$;
comment on function policy.act_for(text) is
'Makes the rest of the transaction act for another principal. The caller puts the setting qm.principal back. Argument '
'p_name: name of the principal. If this is the caller, changes nothing, and returns true. Returns false, and changes '
'nothing, for another principal if the caller is neither an operator nor an administrator. Raises QM404 '
'principal_not_found, and QM422 argument_invalid if the principal is disabled or the session is not one of the '
'service.';
grant execute on function policy.act_for to qm_reader;
