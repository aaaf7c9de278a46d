-- Writes: decisions.decision, decisions.review, decisions.link, cards.
create or replace function api.edit_decision(
    id bigint, changes jsonb, reason text default '', project text default null
)
returns jsonb
language plpgsql
volatile parallel unsafe security definer
set search_path = pg_catalog, pg_temp
as $function$
declare
    v_project_id constant integer := projects.find(edit_decision.project);
    v_before decisions.decision;
    v_new jsonb;
    v_problem text;
    v_fingerprint bytea;
begin
    select d.* into v_before from decisions.of_project(array[edit_decision.id], v_project_id) as d;
    select string_agg(c.key, ', ')
    into v_problem
    from jsonb_object_keys(edit_decision.changes) as c (key)
    where c.key <> all(
        '{pattern,scope,polarity,instead,rationale,applies_when,rejected_alternatives,keywords,confidence,check}'
    );
    v_new := decisions.as_json(v_before) || edit_decision.changes;
    v_problem := coalesce('these members cannot be edited: ' || v_problem, decisions.candidate_problem(v_new));
    if v_problem is not null then
        perform core.fail('decision_invalid', format('decision %s cannot be edited: %s', v_before.id, v_problem));
    end if;
    v_fingerprint := decisions.fingerprint(
        v_new #>> '{scope,kind}', coalesce(v_new #>> '{scope,value}', ''), v_new ->> 'polarity', v_new ->> 'pattern'
    );
    if exists (
        select from decisions.decision as d
        where d.project_id = v_project_id and d.fingerprint = v_fingerprint and d.id <> v_before.id
    ) then
        perform core.fail('decision_exists', 'the project already has a decision with this scope and pattern');
    end if;
    update decisions.decision as d
    set
        pattern = v_new ->> 'pattern',
        scope_kind = v_new #>> '{scope,kind}',
        scope_value = coalesce(v_new #>> '{scope,value}', ''),
        polarity = v_new ->> 'polarity',
        instead = v_new ->> 'instead',
        rationale = v_new ->> 'rationale',
        applies_when = v_new ->> 'applies_when',
        rejected_alternatives = array(select jsonb_array_elements_text(v_new -> 'rejected_alternatives')),
        keywords = array(select jsonb_array_elements_text(v_new -> 'keywords')),
        confidence = v_new ->> 'confidence',
        check_definition = nullif(v_new -> 'check', 'null'),
        fingerprint = v_fingerprint,
        updated_at = core.now()
    where d.id = v_before.id;
    perform decisions.scan(array[v_before.id]);
    perform decisions.record_review(v_before, 'edit', edit_decision.reason);
    delete from decisions.link as l
    where v_before.id in (l.from_id, l.to_id) and l.kind <> 'supersedes' and l.resolved_at is null;
    perform decisions.link_decisions(array[v_before.id]);
    if v_before.status = 'canonical' then
        perform decisions.require_sound(v_before.id);
    end if;
    perform decisions.show_cards(array[v_before.id]);
    return (select decisions.as_json(d) from decisions.decision as d where d.id = v_before.id);
end
$function$;
comment on function api.edit_decision(bigint, jsonb, text, text) is
'Changes the text or other members of a decision. Only curators of decisions may do this, and nobody can do it through '
'the service. Arguments: id: id of the decision; changes: JSON object with the new values of members to change '
'(pattern, scope, polarity, instead, rationale, applies_when, rejected_alternatives, keywords, confidence, check); '
'reason: reason for the change; project: the project, as NAME or OWNER/NAME (null: your only project). Returns the '
'changed decision as JSON. Raises QM403 principal_unknown, decision_door_closed, decision_curator_required, QM404 '
'project_not_found, decision_not_found, QM409 project_ambiguous, decision_exists, decision_contradicted, '
'decision_suspicious, QM422 decision_invalid.';
grant execute on function api.edit_decision to qm_user;
