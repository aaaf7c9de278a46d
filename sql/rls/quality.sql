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
    ('quality.task_step')
) as t (name);

grant select on quality.file_version to qm_reader, qm_admin;
create policy member_reads on quality.file_version for select to qm_reader, qm_admin
using (project_id = any((select projects.mine())::integer[]));

grant select on quality.scan to qm_reader, qm_admin;
create policy member_reads on quality.scan for select to qm_reader, qm_admin
using (exists (select from quality.file_version as v where v.id = file_version_id));

grant select on quality.finding to qm_reader, qm_admin;
create policy member_reads on quality.finding for select to qm_reader, qm_admin
using (exists (select from quality.scan as s where s.id = scan_id));

grant select on quality.metric to qm_reader, qm_admin;
create policy member_reads on quality.metric for select to qm_reader, qm_admin
using (exists (select from quality.scan as s where s.id = scan_id));

grant select on quality.baseline to qm_reader, qm_admin;
create policy member_reads on quality.baseline for select to qm_reader, qm_admin
using (project_id = any((select projects.mine())::integer[]));

grant select on quality.gate_result to qm_reader, qm_admin;
create policy member_reads on quality.gate_result for select to qm_reader, qm_admin
using (exists (select from quality.file_version as v where v.id = file_version_id));

grant select on quality.waiver to qm_reader, qm_admin;
create policy member_reads on quality.waiver for select to qm_reader, qm_admin
using (project_id = any((select projects.mine())::integer[]));

grant select on quality.feedback to qm_reader, qm_admin;
create policy member_reads on quality.feedback for select to qm_reader, qm_admin
using (project_id = any((select projects.mine())::integer[]));

grant select on quality.session to qm_reader, qm_admin;
create policy member_reads on quality.session for select to qm_reader, qm_admin
using (project_id = any((select projects.mine())::integer[]));

grant select on quality.step to qm_reader, qm_admin;
create policy member_reads on quality.step for select to qm_reader, qm_admin
using (exists (select from quality.session as s where s.id = session_id));

grant select on quality.note to qm_reader, qm_admin;
create policy owner_reads on quality.note for select to qm_reader, qm_admin
using (
    exists (
        select from quality.session as s
        where s.id = session_id and s.principal_id = (select policy.principal_id())
    )
);
