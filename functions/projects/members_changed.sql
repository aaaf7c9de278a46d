-- projects.members_changed: the function updates only the audiences of the changed members. An update may move a member
-- to another project, so both projects are updated.
-- Writes: policy.audience_member.
create or replace function projects.members_changed()
returns trigger
language plpgsql
volatile parallel unsafe security invoker
set search_path = pg_catalog, pg_temp
as $function$
begin
    if tg_op <> 'INSERT' then
        delete from policy.audience_member as a
        using before as b, projects.project as p
        where p.id = b.project_id
            and a.audience_id = p.audience_id
            and a.principal_id = b.principal_id
            and not exists (
                select from projects.member as m where m.project_id = b.project_id and m.principal_id = b.principal_id
            );
    end if;
    if tg_op <> 'DELETE' then
        insert into policy.audience_member (audience_id, principal_id)
        select p.audience_id, c.principal_id
        from changed as c
        inner join projects.project as p on p.id = c.project_id
        on conflict do nothing;
    end if;
    return null;
end
$function$;
comment on function projects.members_changed() is
'Trigger that updates the audience of a project''s cards when the members of the project change. It runs once for each '
'statement. It reads the old rows from a transition table called "before", and the new rows from a transition table '
'called "changed".';
