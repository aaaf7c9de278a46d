-- projects.members_changed: trigger that makes the members of a project the members of its audience.
-- Writes: policy.audience_member.
create or replace function projects.members_changed()
returns trigger
language plpgsql
volatile parallel unsafe security invoker
set search_path = pg_catalog, pg_temp
as $function$
begin
    delete from policy.audience_member as a
    using projects.project as p
    where a.audience_id = p.audience_id
        and not exists (select from projects.member as m where m.project_id = p.id and m.principal_id = a.principal_id);
    insert into policy.audience_member (audience_id, principal_id)
    select p.audience_id, m.principal_id
    from projects.member as m
    inner join projects.project as p on p.id = m.project_id
    on conflict do nothing;
    return null;
end
$function$;
comment on function projects.members_changed() is
'Trigger that updates the audience of a project''s cards when the members of the project change. It runs after each '
'statement.';
