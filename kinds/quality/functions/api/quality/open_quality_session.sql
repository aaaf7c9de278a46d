-- api.open_quality_session: the notes and steps of an agent belong to a session.
-- Writes: quality.session.
create or replace function api.open_quality_session(project text default null, base_commit text default null)
returns table (session text, project_name text, root text, started_at timestamptz)
language plpgsql
volatile parallel unsafe security definer
rows 1
set search_path = pg_catalog, pg_temp
as $function$
declare
    v_principal_id constant bigint := policy.require_principal();
    v_project_id constant integer := projects.find(open_quality_session.project);
begin
    insert into quality.session as s (project_id, principal_id, base_commit, started_at, used_at)
    values (v_project_id, v_principal_id, open_quality_session.base_commit, core.now(), core.now())
    returning s.handle, s.started_at into session, started_at;
    select p.name, p.root into project_name, root from projects.project as p where p.id = v_project_id;
    return next;
end
$function$;
comment on function api.open_quality_session(text, text) is
'Begins a session, in which the use of the quality tools is recorded. Arguments: project: the project, as NAME or '
'OWNER/NAME (null: your only project); base_commit: hash of the commit at which the session begins. Returns the handle '
'of the session, the name and the root of the project, and the time at which the session began. Raises QM404 '
'project_not_found.';
grant execute on function api.open_quality_session to qm_user;
