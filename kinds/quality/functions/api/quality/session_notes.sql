-- Writes: quality.session, quality.note.
create or replace function api.session_notes(
    action text, key text default null, value text default null, session text default null, project text default null
)
returns jsonb
language plpgsql
volatile parallel unsafe security definer
set search_path = pg_catalog, pg_temp
as $function$
declare
    v_session_id bigint;
begin
    perform policy.require_principal();
    if session_notes.action is null or session_notes.action not in ('save', 'get', 'list', 'clear') then
        perform core.fail(
            'argument_invalid',
            format('%L is not an action', left(session_notes.action, 100)),
            null,
            'Use "save", "get", "list" or "clear".'
        );
    end if;
    if session_notes.action in ('save', 'get') and coalesce(session_notes.key, '') = '' then
        perform core.fail('argument_invalid', format('the action "%s" needs a key', session_notes.action));
    end if;
    if session_notes.action = 'save' and session_notes.value is null then
        perform core.fail('argument_invalid', 'the action "save" needs a value');
    end if;
    if length(session_notes.key) > 200 or length(session_notes.value) > 20000 then
        perform core.fail(
            'argument_invalid',
            'the note is too long',
            null,
            'Use at most 200 characters for the key and 20000 for the value.'
        );
    end if;
    v_session_id := quality.find_session(session_notes.session, projects.find(session_notes.project));
    if session_notes.action = 'save' then
        insert into quality.note (session_id, key, value, saved_at)
        values (v_session_id, session_notes.key, session_notes.value, core.now())
        on conflict on constraint note_pkey do update set value = excluded.value, saved_at = excluded.saved_at;
    elsif session_notes.action = 'clear' then
        delete from quality.note as n
        where n.session_id = v_session_id and (session_notes.key is null or n.key = session_notes.key);
    elsif session_notes.action = 'get' and not exists (
        select from quality.note as n where n.session_id = v_session_id and n.key = session_notes.key
    ) then
        perform core.fail('note_not_found', format('this session has no note %L', session_notes.key));
    end if;
    return (
        select jsonb_build_object(
            'session_id', s.handle,
            'notes', coalesce(
                jsonb_object_agg(n.key, n.value order by n.key) filter (
                    where n.key is not null and (session_notes.action <> 'get' or n.key = session_notes.key)
                ),
                '{}'
            ),
            'note_count', count(n.key),
            'session_started', s.started_at
        )
        from quality.session as s
        left join quality.note as n on n.session_id = s.id
        where s.id = v_session_id
        group by s.id
    );
end
$function$;
comment on function api.session_notes(text, text, text, text, text) is
'Saves and reads the notes of a session. Arguments: action: save, get, list or clear; key: key of the note; value: '
'text of the note; session: handle of the session (null: the caller''s last session); project: the project, as NAME or '
'OWNER/NAME (null: your only project). Returns JSON with four members: session_id: handle of the session; notes: '
'object that maps keys to texts; note_count: number of notes in the session; session_started: time at which the '
'session began. Raises QM404 project_not_found, session_not_found, note_not_found, QM422 argument_invalid.';
grant execute on function api.session_notes to qm_user;
