-- knowledge.members_changed: trigger that shares the distributions of a project again when its members change: only
-- those that the environments of this project hold, and only with the principals that came or went.
-- It waits for whoever changes the members of another project, or a folder, at the same time: each must see what the
-- others did. Locks are taken in the same order everywhere: project, environment, kind.
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
