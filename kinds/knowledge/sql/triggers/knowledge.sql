create or replace trigger distributions_shown
after insert on projects.member
referencing new table as changed
for each statement execute function knowledge.members_changed();

create or replace trigger members_see_distributions
after update on projects.member
referencing old table as before new table as changed
for each statement execute function knowledge.members_changed();

create or replace trigger distributions_hidden
after delete on projects.member
referencing old table as before
for each statement execute function knowledge.members_changed();

create or replace trigger environments_hold_distributions
after delete on knowledge.environment_distribution
referencing old table as gone
for each statement execute function knowledge.environments_changed();
