-- Without a limit, because a condition of the caller applies to all records.
create or replace view api.changes with (security_invoker = true) as
select
    a.at,
    a.principal,
    a.action,
    a.table_name,
    a.object,
    a.login,
    a.id,
    a.before,
    a.after
from api.list_audit(limit_to => null) as a;
comment on view api.changes is
'Records of the audit chain, the newest first: who changed what. Example: `select at, principal, action, table_name, '
'object from changes limit 20;`';
comment on column api.changes.at is 'The time of the change.';
comment on column api.changes.principal is 'Who made the change; null if it was nobody that Quartermaster knows.';
comment on column api.changes.action is 'What was done to the row: insert, update, delete or truncate.';
comment on column api.changes.table_name is 'The table of the row, such as policy.rule.';
comment on column api.changes.object is 'The name of what was changed; null if it has no name.';
comment on column api.changes.login is 'The login role of the session that made the change.';
comment on column api.changes.id is 'The number of the record in the chain.';
comment on column api.changes.before is 'The row before the change; null for a new row.';
comment on column api.changes.after is 'The row after the change; null for a removed row.';
grant select on api.changes to qm_admin;
