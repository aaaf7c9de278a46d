-- These triggers hold behind the functions that curate, whoever runs a statement.
create or replace trigger promotion_guarded
before insert or update on decisions.decision
for each row execute function decisions.guard_promotion();

create or replace trigger review_kept
before update or delete on decisions.review
for each row execute function decisions.keep_reviews();

create or replace trigger places_kept
after insert or update of project_id, scope_kind, scope_value, check_definition
on decisions.decision
for each row execute function decisions.places_changed();
