-- service.record_step: api.checklist reads these records. Only the service can call the function, so an agent cannot
-- record steps that it has not taken.
-- Writes: quality.session, quality.step.
create or replace function service.record_step(
    tool text,
    path text default null,
    blob_hash text default null,
    subject text default null,
    elapsed_ms real default null,
    session text default null,
    project text default null
)
returns text
language plpgsql
volatile parallel unsafe security definer
set search_path = pg_catalog, pg_temp
as $function$
declare
    v_session_id bigint;
begin
    perform policy.require_service();
    v_session_id := quality.find_session(record_step.session, projects.find(record_step.project));
    insert into quality.step (session_id, tool, path, blob_hash, subject, elapsed_ms, taken_at)
    values (
        v_session_id,
        record_step.tool,
        record_step.path,
        record_step.blob_hash,
        record_step.subject,
        record_step.elapsed_ms,
        core.now()
    );
    return (select s.handle from quality.session as s where s.id = v_session_id);
end
$function$;
comment on function service.record_step(text, text, text, text, real, text, text) is
'Records that a session has used a tool. Arguments: tool: name of the tool; path: path of the file; blob_hash: version '
'of the file; subject: what the tool was used for, if this was not a file (for example, the name of a library); '
'elapsed_ms: duration in milliseconds; session: handle of the session (null: the caller''s last session); project: the '
'project, as NAME or OWNER/NAME (null: your only project). Returns the handle of the session. Raises QM403 '
'service_required, QM404 project_not_found, session_not_found.';
grant execute on function service.record_step to qm_service, qm_user;
