-- Writes: decisions.outcome.
create or replace function api.store_decision_outcomes(outcomes jsonb, project text default null)
returns integer
language plpgsql
volatile parallel unsafe security definer
set search_path = pg_catalog, pg_temp
as $function$
declare
    v_project_id constant integer := projects.find(store_decision_outcomes.project);
    v_count integer;
begin
    if exists (
        select from jsonb_array_elements(store_decision_outcomes.outcomes) as o (piece)
        where (o.piece ->> 'outcome' in ('followed', 'violated', 'not_applicable')) is not true
            or (o.piece ->> 'commit' ~ '^[0-9a-f]{7,64}$') is not true
            or jsonb_typeof(o.piece -> 'receipt') is distinct from 'number'
            or jsonb_typeof(o.piece -> 'decision') is distinct from 'number'
    ) then
        perform core.fail(
            'argument_invalid',
            'each outcome must be an object {receipt, decision, commit, outcome}',
            null,
            'Set outcome to "followed", "violated" or "not_applicable".'
        );
    end if;
    insert into decisions.outcome (decision_id, receipt_id, commit_hash, outcome, at)
    select d.id, r.id, o.commit, o.outcome, core.now()
    from jsonb_to_recordset(store_decision_outcomes.outcomes) as o (
        receipt bigint, decision bigint, commit text, outcome text
    )
    inner join decisions.decision as d on d.id = o.decision and d.project_id = v_project_id
    inner join selection.receipt as r
        on r.id = o.receipt
        and r.kind = 'decision'
        and r.offered @> jsonb_build_array(jsonb_build_object('ref', d.id))
    on conflict do nothing;
    get diagnostics v_count = row_count;
    return v_count;
end
$function$;
comment on function api.store_decision_outcomes(jsonb, text) is
'Stores whether later commits complied with the decisions that members were shown. Arguments: outcomes: JSON array of '
'{receipt, decision, commit, outcome}, in which receipt (the record of an answer) and decision are ids, commit is the '
'hash of the commit, and outcome is followed, violated or not_applicable; project: the project, as NAME or OWNER/NAME '
'(null: your only project). Returns how many outcomes were stored. An outcome is skipped if the decision is not in the '
'answer to which the receipt belongs. Raises QM404 project_not_found, QM409 project_ambiguous, QM422 argument_invalid.';
grant execute on function api.store_decision_outcomes to qm_user;
