-- Administrators read snapshots; only their own functions write them.
grant usage on schema snapshots to qm_user;

grant select on snapshots.snapshot to qm_admin;
create policy admin_reads on snapshots.snapshot for select to qm_admin
using ((select policy.principal_id()) is not null);

grant select on snapshots.member to qm_admin;
create policy admin_reads on snapshots.member for select to qm_admin
using ((select policy.principal_id()) is not null);

grant select on snapshots.activation to qm_admin;
create policy admin_reads on snapshots.activation for select to qm_admin
using ((select policy.principal_id()) is not null);
