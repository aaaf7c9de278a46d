-- Pools and outcomes are read by the owner's functions only; what was learned of a card is for those who may see it, what goals taught for operators.
-- Receipts and exposures belong to the principal they were made for; administrators read all receipts.
drop policy if exists owner_all on selection.mode;
drop policy if exists user_reads on selection.mode;
drop policy if exists owner_all on selection.receipt;
drop policy if exists user_reads on selection.receipt;
drop policy if exists admin_reads on selection.receipt;
drop policy if exists owner_all on selection.exposure;
drop policy if exists user_reads on selection.exposure;
drop policy if exists owner_all on selection.canary;
drop policy if exists user_reads on selection.canary;
drop policy if exists owner_all on selection.pool;
drop policy if exists owner_all on selection.outcome;
drop policy if exists operator_reads on selection.outcome;
drop policy if exists owner_all on selection.judgement;
drop policy if exists operator_reads on selection.judgement;
drop policy if exists owner_all on selection.utility;
drop policy if exists user_reads on selection.utility;

create policy owner_all on selection.mode to qm_owner using (true);
create policy user_reads on selection.mode for select to qm_user using (true);
create policy owner_all on selection.receipt to qm_owner using (true);
create policy user_reads on selection.receipt for select to qm_user
using (principal_id = (select policy.principal_id()));
create policy admin_reads on selection.receipt for select to qm_admin
using ((select policy.principal_id()) is not null);
create policy owner_all on selection.exposure to qm_owner using (true);
create policy user_reads on selection.exposure for select to qm_user
using (
    principal_id = (select policy.principal_id())
    and exists (select from search.card as c where c.kind = exposure.kind and c.ref = exposure.ref)
);
create policy owner_all on selection.canary to qm_owner using (true);
create policy user_reads on selection.canary for select to qm_user using (true);
create policy owner_all on selection.pool to qm_owner using (true);
create policy owner_all on selection.outcome to qm_owner using (true);
create policy operator_reads on selection.outcome for select to qm_operator
using ((select policy.principal_id()) is not null);
create policy owner_all on selection.judgement to qm_owner using (true);
create policy operator_reads on selection.judgement for select to qm_operator
using ((select policy.principal_id()) is not null);
create policy owner_all on selection.utility to qm_owner using (true);
create policy user_reads on selection.utility for select to qm_user
using (exists (select from search.card as c where c.kind = utility.kind and c.ref = utility.ref));
