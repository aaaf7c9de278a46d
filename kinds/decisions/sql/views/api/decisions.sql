-- Each project is asked for by its full name, so that settings of the session change nothing.
create or replace view api.decisions with (security_invoker = true) as
select
    (d.decision ->> 'id')::bigint as id,
    p.owner || '/' || p.project as project,
    d.decision ->> 'status' as status,
    d.decision ->> 'pattern' as pattern,
    d.decision ->> 'polarity' as polarity,
    d.decision -> 'scope' ->> 'value' as scope,
    d.decision ->> 'confidence' as confidence,
    d.decision ->> 'health' as health,
    (d.decision ->> 'created_at')::timestamptz as created_at,
    d.decision ->> 'rationale' as rationale,
    d.decision -> 'evidence' as evidence
from api.list_projects() as p
cross join lateral api.find_decisions(project => p.owner || '/' || p.project) as d (decision)
where p.role is not null;
comment on view api.decisions is
'Decisions of the projects of which you are a member. Example: `select id, status, pattern from decisions limit 5;`';
comment on column api.decisions.id is 'The id of the decision. show_decision returns everything about it.';
comment on column api.decisions.project is 'The project, as OWNER/NAME.';
comment on column api.decisions.status is 'candidate, canonical (agents get it) or rejected.';
comment on column api.decisions.pattern is 'What is to be done, or not to be done.';
comment on column api.decisions.polarity is 'do or avoid.';
comment on column api.decisions.scope is 'The files or folders to which the decision applies.';
comment on column api.decisions.confidence is 'high, medium or low.';
comment on column api.decisions.health is 'Whether the code still follows it: fresh, suspect, contested or obsolete.';
comment on column api.decisions.created_at is 'The time when it was proposed.';
comment on column api.decisions.rationale is 'Why it was decided.';
comment on column api.decisions.evidence is 'The places that support or contradict it.';
grant select on api.decisions to qm_user;
