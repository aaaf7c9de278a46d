-- A principal may see itself; administrators may see all principals. Only security definer functions may read keys.
-- Operators may read rules, toolsets and decisions; other users cannot find out which cards are hidden from them, or
-- which rule hides a card.
grant usage on schema policy to qm_reader, qm_admin;

grant select on policy.principal to qm_reader, qm_admin;
create policy user_reads on policy.principal for select to qm_reader, qm_admin
using (id = (select policy.principal_id()) or (select policy.has_role('admin')));

select policy.let_read('policy.organisation', 'operator');
select policy.let_read('policy.matcher', 'operator');
select policy.let_read('policy.rule_version', 'operator');
select policy.let_read('policy.rule_activation', 'operator');
select policy.let_read('policy.rule', 'operator');
select policy.let_read('policy.toolset', 'operator');
select policy.let_read('policy.decision', 'operator');
