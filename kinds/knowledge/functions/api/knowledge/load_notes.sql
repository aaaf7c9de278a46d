-- api.load_notes: everybody sees these notes, so only administrators and the service may load them.
-- Writes: knowledge.note, knowledge.passage, cards, core.setting.
create or replace function api.load_notes(notes jsonb, digest text, names text[] default null)
returns table (added integer, changed integer, removed integer)
language plpgsql
volatile parallel unsafe security definer
set search_path = pg_catalog, pg_temp
as $function$
declare
    v_gone bigint[];
begin
    perform policy.require_principal();
    if session_user <> 'qm_service' and not policy.has_role('admin') then
        perform core.fail(
            'service_required',
            'only administrators and the service load notes for everybody',
            null,
            'Ask an administrator to run: qm knowledge load'
        );
    end if;
    select
        count(*) filter (where p.outcome = 'added'), count(*) filter (where p.outcome = 'changed')
    into added, changed
    from knowledge.put_notes(null, load_notes.notes) as p;

    removed := 0;
    if load_notes.digest is not null then
        select coalesce(array_agg(n.id), '{}')
        into v_gone
        from knowledge.note as n
        where n.project_id is null
            and n.name <> all(
                coalesce(
                    load_notes.names,
                    array(select e.note ->> 'name' from jsonb_array_elements(load_notes.notes) as e (note))
                )
            );
        perform knowledge.remove_passages(v_gone);
        delete from knowledge.note as n where n.id = any(v_gone);
        removed := cardinality(v_gone);
        update core.setting as s set value = to_jsonb(load_notes.digest) where s.name = 'knowledge.loaded';
    end if;
    return next;
end
$function$;
comment on function api.load_notes(jsonb, text, text[]) is
'Stores notes that come with Quartermaster, and removes the notes of earlier releases. Arguments: notes: JSON array of '
'notes; digest: digest of the files of all notes that come with Quartermaster (null: further calls with notes follow, '
'and this call removes no notes); names: names of all these notes (null: this call contains all notes). Returns how '
'many notes were added, changed and removed. Raises QM403 principal_unknown, service_required, QM404 domain_not_found, '
'QM422 note_invalid. Can be null: digest.';
grant execute on function api.load_notes to qm_operator;
