create or replace function api.list_waivers(project text default null)
returns table (
    path text, what text, reason text, granted_by text, granted_at timestamptz, expires_at timestamptz, is_over boolean
)
language plpgsql
stable parallel safe security definer
set search_path = pg_catalog, pg_temp
as $function$
declare
    v_project_id constant integer := projects.find(list_waivers.project);
begin
    return query
    select
        w.path,
        w.what,
        w.reason,
        projects.principal_name(w.granted_by),
        w.granted_at,
        w.expires_at,
        w.expires_at <= core.now()
    from quality.waiver as w
    where w.project_id = v_project_id
    order by w.path, w.what, w.granted_at;
end
$function$;
comment on function api.list_waivers(text) is
'Lists the waivers (permitted exceptions to quality conditions) in a project. Argument project: the project, as NAME '
'or OWNER/NAME (null: your only project). Returns for each waiver: the file; the condition or the finding; the reason; '
'the principal who granted the waiver; the start; the end; and whether the waiver has ended. Can be null: granted_by.';
alter function api.list_waivers owner to qm_reader;
grant execute on function api.list_waivers to qm_user;
