-- decisions.require_curator: sessions of the service are refused even if the principal is a curator, so nobody can make
-- a decision canonical through the service.
create or replace function decisions.require_curator(p_project_id integer)
returns bigint
language plpgsql
stable parallel safe security invoker
set search_path = pg_catalog, pg_temp
as $function$
declare
    v_principal_id constant bigint := policy.require_principal();
begin
    if session_user = 'qm_service' then
        perform core.fail(
            'decision_door_closed', 'decisions cannot be approved, rejected or changed through the service'
        );
    end if;
    if not policy.curates_decisions() then
        perform core.fail(
            'decision_curator_required',
            (
                select format('%s was not appointed to curate decisions', p.name)
                from policy.principal as p
                where p.id = v_principal_id
            ),
            null,
            (
                select format(
                    case p.role
                        when 'admin' then 'Appoint yourself: qm principal curator %s --of decisions.'
                        else 'Ask an administrator to run: qm principal curator %s --of decisions.'
                    end,
                    p.name
                )
                from policy.principal as p
                where p.id = v_principal_id
            )
        );
    end if;
    if not p_project_id = any(projects.mine()) then
        perform core.fail('project_not_found', 'you are not a member of the decision''s project');
    end if;
    return v_principal_id;
end
$function$;
comment on function decisions.require_curator(integer) is
'Raises an error unless all of the following are true: (1) the caller is a person who was appointed as a curator of '
'decisions; (2) the caller is a member of the project; (3) the caller''s session does not belong to the service. '
'Argument p_project_id: id of the project. Returns the id of the caller''s principal. The errors are QM403 '
'principal_unknown, decision_door_closed, decision_curator_required, QM404 project_not_found.';
