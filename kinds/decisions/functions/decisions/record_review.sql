-- Writes: decisions.review.
create or replace function decisions.record_review(
    p_before decisions.decision, p_action text, p_reason text default '', p_commit text default null
)
returns void
language sql
volatile parallel unsafe security invoker
set search_path = pg_catalog, pg_temp
as $function$
    insert into decisions.review (decision_id, at, principal_id, action, reason, commit_hash, before, after)
    select
        p_before.id, core.now(), policy.principal_id(), p_action, coalesce(p_reason, ''), p_commit,
        coalesce(jsonb_object_agg(b.key, b.value) filter (where b.value is distinct from a.value), '{}'),
        coalesce(jsonb_object_agg(a.key, a.value) filter (where b.value is distinct from a.value), '{}')
    from decisions.decision as d
    cross join lateral jsonb_each(to_jsonb(d) - '{updated_at,fingerprint}'::text[]) as a
    inner join jsonb_each(to_jsonb(p_before)) as b on b.key = a.key
    where d.id = p_before.id;
$function$;
comment on function decisions.record_review(decisions.decision, text, text, text) is
'Records a review, that is, a curator''s action on a decision. Call this function after the decision was changed. '
'Arguments: p_before: the decision before the change; p_action: the action (see decisions.review); p_reason: the '
'curator''s reason; p_commit: the commit that contains the review (null: no commit).';
