-- api.put_environment: if the list is complete, distributions that are not in the list no longer belong to the folder
-- (knowledge.environments_changed). An environment without a project is for everybody, so only administrators may
-- create one. The environment of a project is for its members.
-- The caller first asks which distributions are stored (api.known_distributions). One of them may be deleted before
-- this call, with the last environment that contained it. The call then fails, and the caller reads the folder again.
-- When a folder that was read completely changes, the service reads it again (argument state). The service may have
-- rights to files that the caller does not have, so only administrators and the service can give a state.
-- Writes: knowledge.environment, environment_distribution, distribution, search.card.
create or replace function api.put_environment(
    folder text, contents bytea[], project text default null, complete boolean default true, state text default null
)
returns bigint
language plpgsql
volatile parallel unsafe security definer
set search_path = pg_catalog, pg_temp
as $function$
declare
    v_id bigint;
    v_project constant integer := case
        when put_environment.project is not null then projects.find(put_environment.project)
    end;
    v_ids bigint[];
    v_gone bigint;
begin
    perform policy.require_principal();
    if v_project is null and not policy.has_role('admin') then
        perform core.fail(
            'argument_invalid',
            'only administrators may make packages visible to everybody',
            null,
            'Give a project of which you are a member: --project NAME.'
        );
    end if;
    -- Locks are taken in the same order everywhere: project, environment, kind.
    perform from projects.project as p where p.id = v_project for key share;
    insert into knowledge.environment as e (folder, project_id, indexed_by, indexed_at)
    values (put_environment.folder, v_project, policy.principal_id(), core.now())
    on conflict on constraint environment_key do update
    set indexed_by = excluded.indexed_by, indexed_at = excluded.indexed_at
    returning e.id into v_id;
    perform search.lock_kind('symbol');
    -- Named by the digests of all that was read: whoever has not read a distribution cannot name it.
    v_ids := array(select d.id from knowledge.distribution as d where d.content = any(put_environment.contents));
    v_gone := (
        select count(distinct c.content) from unnest(put_environment.contents) as c (content)
    ) - cardinality(v_ids);
    if v_gone > 0 then
        perform core.fail(
            'distribution_gone', format('%s of the packages that were read are no longer stored', v_gone)
        );
    end if;
    insert into knowledge.environment_distribution (environment_id, distribution_id)
    select v_id, u.id
    from unnest(v_ids) as u (id)
    on conflict do nothing;
    if put_environment.complete then
        update knowledge.environment as e
        set state = case
            when session_user = 'qm_service' or policy.has_role('admin') then put_environment.state
            else e.state
        end
        where e.id = v_id;
        delete from knowledge.environment_distribution as h
        where h.environment_id = v_id and h.distribution_id <> all(v_ids);
    end if;
    perform knowledge.share(v_ids);
    return v_id;
end
$function$;
comment on function api.put_environment(text, bytea[], text, boolean, text) is
'Stores which distributions a package folder contains. Arguments: folder: path of the folder; contents: digests that '
'store_distributions and known_distributions returned (QM409 distribution_gone: one of them is no longer stored); '
'project: the project that uses the folder (null: everybody may see the packages); complete: true if the argument '
'`contents` contains all distributions in the folder; state: a digest of the installed packages, by which the service '
'can later tell whether the packages have changed (only administrators and the service can give it). Returns the id of '
'the environment. Also raises QM403 principal_unknown, QM404 project_not_found, QM422 argument_invalid.';
grant execute on function api.put_environment to qm_operator;
