-- These triggers hold behind the functions that curate, whoever runs a statement.
create or replace trigger promotion_guarded
before insert or update on decisions.decision
for each row execute function decisions.guard_promotion();

create or replace trigger review_kept
before update or delete on decisions.review
for each row execute function decisions.keep_reviews();

create or replace trigger places_added
after insert on decisions.decision
referencing new table as changed
for each statement execute function decisions.places_changed();

create or replace trigger places_kept
after update on decisions.decision
referencing old table as before new table as changed
for each statement execute function decisions.places_changed();
