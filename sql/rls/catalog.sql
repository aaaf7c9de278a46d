-- What a principal may see is decided by policy.is_visible, the same predicate as in search. Writing goes through definer functions.
drop policy if exists owner_all on catalog.origin;
drop policy if exists user_reads on catalog.origin;
drop policy if exists owner_all on catalog.tool;
drop policy if exists user_reads on catalog.tool;
drop policy if exists owner_all on catalog.tool_version;
drop policy if exists user_reads on catalog.tool_version;
drop policy if exists owner_all on catalog.refresh;
drop policy if exists operator_reads on catalog.refresh;

create policy owner_all on catalog.origin to qm_owner using (true);
create policy user_reads on catalog.origin for select to qm_user
using (policy.is_visible('origin', id, (select policy.principal_id())));
create policy owner_all on catalog.tool to qm_owner using (true);
create policy user_reads on catalog.tool for select to qm_user
using (policy.is_visible('tool', id, (select policy.principal_id())));
create policy owner_all on catalog.tool_version to qm_owner using (true);
create policy user_reads on catalog.tool_version for select to qm_user
using (policy.is_visible('tool', tool_id, (select policy.principal_id())));
create policy owner_all on catalog.refresh to qm_owner using (true);
create policy operator_reads on catalog.refresh for select to qm_operator
using ((select policy.principal_id()) is not null);
