-- decisions.guard_promotion: PostgreSQL runs the trigger for every statement, so no function can avoid the check. The
-- check also applies to the owner of the database.
create or replace function decisions.guard_promotion()
returns trigger
language plpgsql
volatile parallel unsafe security invoker
set search_path = pg_catalog, pg_temp
as $function$
begin
    if tg_op = 'INSERT' then
        if new.status <> 'candidate' or new.superseded_by is not null then
            perform decisions.require_curator(new.project_id);
        end if;
    elsif (new.status, new.superseded_by, new.project_id)
        is distinct from (old.status, old.superseded_by, old.project_id)
        or (
            (new.status = 'canonical' or old.status = 'canonical')
            and (
                new.pattern, new.scope_kind, new.scope_value, new.polarity, new.instead, new.rationale,
                new.applies_when, new.check_definition, new.rejected_alternatives, new.keywords, new.confidence
            ) is distinct from (
                old.pattern, old.scope_kind, old.scope_value, old.polarity, old.instead, old.rationale,
                old.applies_when, old.check_definition, old.rejected_alternatives, old.keywords, old.confidence
            )
        )
    then
        perform decisions.require_curator(new.project_id);
    end if;
    return new;
end
$function$;
comment on function decisions.guard_promotion() is
'Trigger that lets only curators of decisions change the status of a decision or the texts of a canonical (approved) '
'decision.';
