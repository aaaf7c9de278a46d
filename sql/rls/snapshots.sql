-- Administrators read snapshots; only their own functions write them.
grant usage on schema snapshots to qm_user;

select policy.let_read('snapshots.snapshot', 'admin');
select policy.let_read('snapshots.member', 'admin');
select policy.let_read('snapshots.activation', 'admin');
