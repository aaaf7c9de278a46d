-- decisions.places_changed: trigger that keeps the globs of a decision in decisions.place.
-- The function runs with the rights of its owner (security definer), because nobody else may write decisions.place.
-- Writes: decisions.place.
create or replace function decisions.places_changed()
returns trigger
language plpgsql
volatile parallel unsafe security definer
set search_path = pg_catalog, pg_temp
as $function$
begin
    delete from decisions.place as p where p.decision_id = new.id;
    insert into decisions.place (decision_id, project_id, role, glob, prefix, suffix, shape, expression, depth)
    select new.id, new.project_id, g.role, g.glob, p.prefix, p.suffix, p.shape, p.expression, p.depth
    from decisions.globs_of(new.scope_kind, new.scope_value, new.check_definition) as g
    cross join lateral decisions.glob_parts(g.glob) as p;
    return null;
end
$function$;
comment on function decisions.places_changed() is
'Trigger that keeps the globs of a decision in decisions.place.';
