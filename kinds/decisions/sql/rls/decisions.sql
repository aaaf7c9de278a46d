-- Only members of a project see its decisions; no role makes anybody a member. Only security definer functions write.
grant usage on schema decisions to qm_reader, qm_admin;

select projects.let_members_read(t.name::regclass)
from (
    values
    ('decisions.decision'),
    ('decisions.place'),
    ('decisions.refusal'),
    ('decisions.packet')
) as t (name);

select projects.let_members_read(t.name::regclass, 'decisions.decision', t.through)
from (
    values
    ('decisions.evidence', 'decision_id'),
    ('decisions.review', 'decision_id'),
    ('decisions.outcome', 'decision_id'),
    ('decisions.link', 'from_id')
) as t (name, through);

select policy.let_read('decisions.check_form', 'user');
select policy.let_read('decisions.tier', 'user');
select policy.let_read('decisions.rank_weight', 'user');
