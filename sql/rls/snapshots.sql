-- Administrators may read snapshots; only the snapshot functions write them.
grant usage on schema snapshots to qm_reader, qm_admin;

select policy.let_read('snapshots.snapshot', 'admin');
select policy.let_read('snapshots.member', 'admin');
select policy.let_read('snapshots.activation', 'admin');
