create or replace trigger members_added
after insert on projects.member
referencing new table as changed
for each statement execute function projects.members_changed();

create or replace trigger members_changed
after update on projects.member
referencing old table as before new table as changed
for each statement execute function projects.members_changed();

create or replace trigger members_removed
after delete on projects.member
referencing old table as before
for each statement execute function projects.members_changed();
