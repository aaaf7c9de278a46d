-- Snapshots are read by administrators; rows are written by their own functions only.
drop policy if exists owner_all on snapshots.snapshot;
drop policy if exists admin_reads on snapshots.snapshot;
drop policy if exists owner_all on snapshots.member;
drop policy if exists admin_reads on snapshots.member;
drop policy if exists owner_all on snapshots.activation;
drop policy if exists admin_reads on snapshots.activation;

create policy owner_all on snapshots.snapshot to qm_owner using (true);
create policy admin_reads on snapshots.snapshot for select to qm_admin
using ((select policy.principal_id()) is not null);
create policy owner_all on snapshots.member to qm_owner using (true);
create policy admin_reads on snapshots.member for select to qm_admin
using ((select policy.principal_id()) is not null);
create policy owner_all on snapshots.activation to qm_owner using (true);
create policy admin_reads on snapshots.activation for select to qm_admin
using ((select policy.principal_id()) is not null);
