-- What somebody may see can change with who they are.
create or replace trigger principal_changed
after insert or update or delete on policy.principal
for each statement execute function core.bump_version('rights');
