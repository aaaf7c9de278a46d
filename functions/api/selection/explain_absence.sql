-- api.explain_absence: it writes neither a receipt nor a pool. A card that the caller may not know of and a card that
-- does not exist have one answer, which contains nothing but constants. policy.act_for changes the setting
-- qm.principal, which is put back; after an error, the end of the transaction puts it back. The other principal may see
-- cards that the caller may not see, so the answer neither names these nor quotes them.
create or replace function api.explain_absence(
    goal text,
    tool text,
    principal text default null,
    mode text default 'balanced',
    top integer default null,
    query_vector ext.vector default null,
    rerank jsonb default null,
    budget_tokens integer default null,
    as_of timestamptz default null,
    kind text default null
)
returns table (reason text, detail jsonb, remedy text)
language plpgsql
volatile parallel unsafe security definer
rows 1
set search_path = pg_catalog, pg_temp
as $function$
declare
    v_goal constant text := selection.require_goal(explain_absence.goal);
    v_rerank constant jsonb := selection.require_rerank(explain_absence.rerank);
    v_kind constant text := coalesce(explain_absence.kind, search.default_kind());
    v_before constant text := coalesce(current_setting('qm.principal', true), '');
    v_knows constant boolean := policy.has_role('operator');
    v_told jsonb;
    v_other text; -- name of the card that is shown instead
begin
    perform policy.require_principal(), search.require_kinds(array[v_kind]), core.require_past(explain_absence.as_of);
    if explain_absence.budget_tokens < 1 then
        perform core.fail(
            'argument_invalid', format('budget_tokens must be above 0, got %s', explain_absence.budget_tokens)
        );
    end if;
    if v_kind <> search.default_kind()
        and (explain_absence.principal is not null or explain_absence.as_of is not null)
    then
        perform core.fail(
            'argument_invalid',
            format('for the kind %s, principal and as_of cannot be given', v_kind),
            null,
            'Leave out principal and as_of.'
        );
    end if;
    if explain_absence.principal is null or policy.act_for(explain_absence.principal) then
        v_told := catalog.explain_absence(
            v_kind,
            explain_absence.tool,
            v_goal,
            explain_absence.mode,
            explain_absence.top,
            explain_absence.query_vector,
            v_rerank,
            explain_absence.budget_tokens,
            explain_absence.as_of,
            v_knows
        );
        perform set_config('qm.principal', v_before, true);
    end if;
    v_other := coalesce(v_told #>> '{detail,of}', v_told #>> '{detail,with}');
    if v_other is not null
        and not exists (select from search.card as c where c.kind = v_kind and c.name = v_other)
    then
        v_told := (v_told #- '{detail,of}' #- '{detail,with}')
            || jsonb_build_object('remedy', 'You may not see the tool that is shown instead.');
    end if;
    -- A cause may quote the definition.
    if not exists (
        select from catalog.item as i where i.kind = v_kind and i.public_name = explain_absence.tool
    ) then
        v_told := v_told #- '{detail,cause}';
    end if;
    reason := coalesce(v_told ->> 'reason', 'no_such_tool');
    detail := coalesce(v_told -> 'detail', '{}');
    remedy := coalesce(
        v_told ->> 'remedy',
        'Check the name: qm tool list shows all names.'
        || case
            when v_knows then ''
            else ' Only operators and administrators can ask about hidden tools, or for another principal.'
        end
    );
    return next;
end
$function$;
comment on function api.explain_absence(
    text, text, text, text, integer, ext.vector, jsonb, integer, timestamptz, text
) is
'Explains why a search for a goal does not offer a tool: the first true reason. Example: `select * from '
'explain_absence(''what time is it in Tokyo'', ''time__convert_time'');` Arguments: goal: what the caller wants to do; '
'tool: name of the tool; principal: the principal who would search (default: the caller; only operators and '
'administrators may name another one, in a session of the service); mode, top, query_vector, rerank, budget_tokens: as '
'in search_cards; as_of: as in search_past; kind: kind of card (null: the default kind). Returns the reason, details, '
'and what to do. The reasons, in their order: no_such_tool (also for a tool of which the caller may not know), hidden '
'(by which rule), status, unavailable, duplicate, not_there_then, in_no_channel, below_cut, redundant, over_budget. '
'The reason is offered if the search offers the tool. The function stores no record of the search. Raises QM404 '
'kind_not_found, principal_not_found, QM413 goal_too_long, QM422 goal_empty, mode_unknown, argument_invalid, '
'dimension_mismatch.';
alter function api.explain_absence owner to qm_reader;
grant execute on function api.explain_absence to qm_user;
