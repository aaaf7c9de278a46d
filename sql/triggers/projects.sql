create or replace trigger members_changed
after insert or update or delete on projects.member
for each statement execute function projects.members_changed();
