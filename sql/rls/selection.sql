-- Only security definer functions may read pools and outcomes. The utility of a card is visible if the card is visible.
-- Operators may read what was learned about goals. A principal may read its own receipts, and its own exposures (the
-- tools that searches added to the lists of its sessions). Administrators may read all receipts.
grant usage on schema selection to qm_reader, qm_admin;

grant select on selection.mode to qm_reader, qm_admin;
create policy user_reads on selection.mode for select to qm_reader, qm_admin using (true);

grant select on selection.task_part to qm_reader, qm_admin;
create policy user_reads on selection.task_part for select to qm_reader, qm_admin using (true);

grant select on selection.receipt to qm_reader, qm_admin;
create policy user_reads on selection.receipt for select to qm_reader, qm_admin
using (principal_id = (select policy.principal_id()) or (select policy.has_role('admin')));

grant select on selection.exposure to qm_reader, qm_admin;
create policy user_reads on selection.exposure for select to qm_reader, qm_admin
using (
    principal_id = (select policy.principal_id())
    and exists (select from search.card as c where c.kind = exposure.kind and c.ref = exposure.ref)
);

grant select on selection.canary to qm_reader, qm_admin;
create policy user_reads on selection.canary for select to qm_reader, qm_admin using (true);

select policy.let_read('selection.outcome', 'operator');
select policy.let_read('selection.judgement', 'operator');

grant select on selection.utility to qm_reader, qm_admin;
create policy user_reads on selection.utility for select to qm_reader, qm_admin
using (exists (select from search.card as c where c.kind = utility.kind and c.ref = utility.ref));
