-- api.remove_environment: the files in the folder are not touched.
-- Writes: knowledge.environment, environment_distribution, distribution, search.card.
create or replace function api.remove_environment(
    folder text, project text default null, dry_run boolean default false, out distributions bigint, out removed bigint
)
language plpgsql
volatile parallel unsafe security definer
set search_path = pg_catalog, pg_temp
as $function$
declare
    v_project constant integer := case
        when remove_environment.project is not null then projects.find(remove_environment.project)
    end;
    v_environment constant knowledge.environment := knowledge.writable_environment((
        select e.id
        from knowledge.environment as e
        where e.folder = remove_environment.folder and e.project_id is not distinct from v_project
    ));
    v_mine constant integer[] := projects.mine();
begin
    -- What only folders of others contain stays stored, but the caller does not see it any more.
    select count(*), count(*) filter (where not exists (
        select from knowledge.environment_distribution as o
        inner join knowledge.environment as e
            on e.id = o.environment_id and (e.project_id is null or e.project_id = any(v_mine))
        where o.distribution_id = h.distribution_id and o.environment_id <> v_environment.id
    ))
    into distributions, removed
    from knowledge.environment_distribution as h
    where h.environment_id = v_environment.id;
    if not remove_environment.dry_run then
        delete from knowledge.environment as e where e.id = v_environment.id;
    end if;
end
$function$;
comment on function api.remove_environment(text, text, boolean) is
'Removes a package folder from the list of folders that were read. Arguments: folder: path of the folder, as '
'api.list_environments returns it; project: the project that uses the folder (null: everybody may see the packages, '
'and only administrators may remove the folder); dry_run: true to preview the change without making it. Returns two '
'numbers. distributions: how many distributions the folder contains. removed: how many of these distributions the '
'caller can then no longer look up, because no other folder that the caller may read contains them. The documentation '
'of a distribution is deleted as soon as no folder contains the distribution. Raises QM403 principal_unknown, QM404 '
'project_not_found, environment_not_found.';
grant execute on function api.remove_environment to qm_operator;
