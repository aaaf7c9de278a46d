-- knowledge.members_changed: the trigger changes only distributions in the environments of this project, and only for
-- principals that joined or left. Other transactions may change members of another project, or a folder, at the same
-- time. The trigger waits for them, because each transaction must see the changes of the others. All functions take
-- locks in the same order: project, environment, kind.
create or replace function knowledge.members_changed()
returns trigger
language plpgsql
volatile parallel unsafe security invoker
set search_path = pg_catalog, pg_temp
as $function$
declare
    v_projects integer[];
    v_principals bigint[];
begin
    perform search.lock_kind('symbol');
    if tg_op <> 'INSERT' then
        select array_agg(b.project_id), array_agg(b.principal_id) into v_projects, v_principals from before as b;
    end if;
    if tg_op <> 'DELETE' then
        select v_projects || array_agg(c.project_id), v_principals || array_agg(c.principal_id)
        into v_projects, v_principals
        from changed as c;
    end if;
    perform knowledge.share(
        array(
            select h.distribution_id
            from knowledge.environment as e
            inner join knowledge.environment_distribution as h on h.environment_id = e.id
            where e.project_id = any(v_projects)
        ),
        v_principals
    );
    return null;
end
$function$;
comment on function knowledge.members_changed() is
'Trigger that updates the audiences of a project''s distributions when the members of the project change. It runs once '
'for each statement. It reads the old rows from a transition table called "before", and the new rows from a transition '
'table called "changed".';
