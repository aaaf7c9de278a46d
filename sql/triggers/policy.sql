-- What somebody may see can change with who they are.
create or replace trigger principal_changed
after insert or update or delete on policy.principal
for each statement execute function core.bump_version('rights');

create or replace trigger subject_rights_changed
after insert or update or delete on policy.subject_rights
for each statement execute function core.bump_version('rights');

create or replace trigger rule_version_changed
after insert or update or delete on policy.rule_version
for each statement execute function core.bump_version('rights');
