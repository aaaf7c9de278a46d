-- Receipts and exposures belong to the principal they were made for; administrators read all receipts.
drop policy if exists owner_all on selection.mode;
drop policy if exists user_reads on selection.mode;
drop policy if exists owner_all on selection.receipt;
drop policy if exists user_reads on selection.receipt;
drop policy if exists admin_reads on selection.receipt;
drop policy if exists owner_all on selection.exposure;
drop policy if exists user_reads on selection.exposure;

create policy owner_all on selection.mode to qm_owner using (true);
create policy user_reads on selection.mode for select to qm_user using (true);
create policy owner_all on selection.receipt to qm_owner using (true);
create policy user_reads on selection.receipt for select to qm_user
using (principal_id = (select policy.principal_id()));
create policy admin_reads on selection.receipt for select to qm_admin
using ((select policy.principal_id()) is not null);
create policy owner_all on selection.exposure to qm_owner using (true);
create policy user_reads on selection.exposure for select to qm_user
using (principal_id = (select policy.principal_id()));
