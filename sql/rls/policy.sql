-- A principal sees itself; administrators see all. Keys are read by definer functions only.
drop policy if exists owner_all on policy.principal;
drop policy if exists user_reads on policy.principal;
drop policy if exists admin_all on policy.principal;
drop policy if exists owner_all on policy.api_key;

create policy owner_all on policy.principal to qm_owner using (true);
create policy user_reads on policy.principal for select to qm_user
using (id = (select policy.principal_id()));
create policy admin_all on policy.principal to qm_admin
using ((select policy.principal_id()) is not null);
create policy owner_all on policy.api_key to qm_owner using (true);
