create or replace trigger members_see_distributions
after insert or update or delete on projects.member
for each statement execute function knowledge.members_changed();
