create or replace trigger members_see_distributions
after insert or update or delete on projects.member
for each statement execute function knowledge.members_changed();

create or replace trigger environments_hold_distributions
after delete on knowledge.environment_distribution
referencing old table as gone
for each statement execute function knowledge.environments_changed();
