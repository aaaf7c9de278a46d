-- Writes: decisions.place.
create or replace function decisions.places_changed()
returns trigger
language plpgsql
volatile parallel unsafe security definer
set search_path = pg_catalog, pg_temp
as $function$
declare
    v_ids bigint[];
begin
    if tg_op = 'INSERT' then
        v_ids := array(select c.id from changed as c);
    else
        v_ids := array(
            select c.id
            from changed as c
            inner join before as b on b.id = c.id
            where (b.project_id, b.scope_kind, b.scope_value, b.check_definition)
                is distinct from (c.project_id, c.scope_kind, c.scope_value, c.check_definition)
        );
        delete from decisions.place as p where p.decision_id = any(v_ids);
    end if;
    insert into decisions.place (decision_id, project_id, role, glob, prefix, suffix, shape, expression, depth)
    select c.id, c.project_id, g.role, g.glob, p.prefix, p.suffix, p.shape, p.expression, p.depth
    from changed as c
    cross join lateral decisions.globs_of(c.scope_kind, c.scope_value, c.check_definition) as g
    cross join lateral decisions.glob_parts(g.glob) as p
    where c.id = any(v_ids);
    return null;
end
$function$;
comment on function decisions.places_changed() is
'Trigger that stores the path patterns (globs) of changed decisions in the table decisions.place.';
