-- A principal sees itself; administrators see all. Only definer functions read keys. Operators read
-- rules, toolsets and decisions: a user learns neither what is hidden nor by which rule.
grant usage on schema policy to qm_user;

grant select (id, name, kind, role, enabled, created_at, is_curator) on policy.principal to qm_user; -- noqa: PRS
grant select, insert, update on policy.principal to qm_admin;
create policy user_reads on policy.principal for select to qm_user
using (id = (select policy.principal_id()));
create policy admin_all on policy.principal to qm_admin
using ((select policy.principal_id()) is not null);

grant select on policy.organisation to qm_operator;
create policy operator_reads on policy.organisation for select to qm_operator
using ((select policy.principal_id()) is not null);

grant select on policy.matcher to qm_operator;
create policy operator_reads on policy.matcher for select to qm_operator
using ((select policy.principal_id()) is not null);

grant select on policy.rule_version to qm_operator;
create policy operator_reads on policy.rule_version for select to qm_operator
using ((select policy.principal_id()) is not null);

grant select on policy.rule_activation to qm_operator;
create policy operator_reads on policy.rule_activation for select to qm_operator
using ((select policy.principal_id()) is not null);

grant select on policy.rule to qm_operator;
create policy operator_reads on policy.rule for select to qm_operator
using ((select policy.principal_id()) is not null);

grant select on policy.toolset to qm_operator;
create policy operator_reads on policy.toolset for select to qm_operator
using ((select policy.principal_id()) is not null);

grant select on policy.decision to qm_operator;
create policy operator_reads on policy.decision for select to qm_operator
using ((select policy.principal_id()) is not null);
