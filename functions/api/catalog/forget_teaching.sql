-- Writes: search.teaching, search.teaching_vector.
create or replace function api.forget_teaching(teaching bigint)
returns table (goal text, name text)
language plpgsql
volatile parallel unsafe security definer
rows 1
set search_path = pg_catalog, pg_temp
as $function$
begin
    perform policy.require_principal();
    delete from search.teaching as t
    where t.id = forget_teaching.teaching
        and (
            coalesce(t.organisation_id, 0) = coalesce(policy.organisation_id(), 0) or policy.has_role('admin')
        )
    returning
        t.goal,
        (
            select i.public_name
            from catalog.item as i
            where i.id = t.ref and policy.is_visible(i.rights_class, (select policy.visible_classes()))
        )
    into forget_teaching.goal, forget_teaching.name;
    if not found then
        perform core.fail('teaching_not_found', format('there is no teaching %s', forget_teaching.teaching));
    end if;
    return next;
end
$function$;
comment on function api.forget_teaching(bigint) is
'Deletes a teaching, so that searches no longer use it. Argument teaching: number of the teaching, from '
'api.list_teachings. Operators can delete the teachings of their own organisation, and administrators all. Returns the '
'goal and the name of the item that was taught. Raises QM404 teaching_not_found. Can be null: name.';
grant execute on function api.forget_teaching to qm_operator;
