-- api.appoint_curator: the principal can curate only the tables that it may see, and the decisions of projects of which
-- it is a member. Only a person may curate decisions, because a decision is an instruction to agents.
-- Writes: policy.principal.
create or replace function api.appoint_curator(
    name text, is_curator boolean default true, curates text default 'lookups'
)
returns void
language plpgsql
volatile parallel unsafe security definer
set search_path = pg_catalog, pg_temp
as $function$
declare
    v_id bigint;
begin
    perform policy.require_principal();
    v_id := policy.find_principal(appoint_curator.name);
    case appoint_curator.curates
        when 'lookups' then
            update policy.principal as p set is_curator = appoint_curator.is_curator where p.id = v_id;
        when 'decisions' then
            if appoint_curator.is_curator
                and (select p.kind <> 'person' from policy.principal as p where p.id = v_id)
            then
                perform core.fail(
                    'person_required', format('%s is not a person, so it cannot curate decisions', appoint_curator.name)
                );
            end if;
            update policy.principal as p set curates_decisions = appoint_curator.is_curator where p.id = v_id;
        else
            perform core.fail(
                'argument_invalid',
                format('%L cannot be curated', left(appoint_curator.curates, 100)),
                null,
                'Use "lookups" or "decisions".'
            );
    end case;
end
$function$;
comment on function api.appoint_curator(text, boolean, text) is
'Gives a principal the right to curate lookup tables or decisions, or takes that right away. Arguments: name: name of '
'the principal; is_curator: true to give the right, false to take the right away; curates: what the principal may '
'curate (lookups or decisions). Operators and administrators may always curate lookup tables. To curate decisions, '
'even operators and administrators need this right. Raises QM403 principal_unknown, QM404 principal_not_found, '
'QM422 argument_invalid, person_required.';
grant execute on function api.appoint_curator to qm_admin;
