-- Members of a project see what was found there. Everybody may read how files are judged. Sessions and notes are for
-- their owners only. Only security definer functions write.
grant usage on schema quality to qm_reader, qm_admin;

select policy.let_read(t.name::regclass, 'user')
from (
    values
    ('quality.category'),
    ('quality.checker'),
    ('quality.assignment'),
    ('quality.succession'),
    ('quality.penalty'),
    ('quality.measure'),
    ('quality.weakness'),
    ('quality.gate_preset'),
    ('quality.gate_condition'),
    ('quality.condition_text'),
    ('quality.task_step')
) as t (name);

select projects.let_members_read(t.name::regclass)
from (
    values
    ('quality.file_version'),
    ('quality.baseline'),
    ('quality.waiver'),
    ('quality.feedback'),
    ('quality.session')
) as t (name);

select projects.let_members_read(t.name::regclass, t.of_what::regclass, t.key)
from (
    values
    ('quality.scan', 'quality.file_version', 'file_version_id'),
    ('quality.gate_result', 'quality.file_version', 'file_version_id'),
    ('quality.finding', 'quality.scan', 'scan_id'),
    ('quality.metric', 'quality.scan', 'scan_id'),
    ('quality.step', 'quality.session', 'session_id')
) as t (name, of_what, key);

grant select on quality.note to qm_reader, qm_admin;
create policy owner_reads on quality.note for select to qm_reader, qm_admin
using (
    exists (
        select from quality.session as s
        where s.id = session_id and s.principal_id = (select policy.principal_id())
    )
);
