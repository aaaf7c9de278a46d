-- api.notes_digest: the service reads the files of the notes only if their digest differs from this one.
create or replace function api.notes_digest()
returns text
language sql
stable parallel safe security definer
set search_path = pg_catalog, pg_temp
as $function$
    select core.get_setting('knowledge.loaded') #>> '{}';
$function$;
comment on function api.notes_digest() is
'Returns the digest of the notes that api.load_notes stored last (null: api.load_notes has stored no notes yet). Can '
'be null: result.';
alter function api.notes_digest owner to qm_reader;
grant execute on function api.notes_digest to qm_user;
