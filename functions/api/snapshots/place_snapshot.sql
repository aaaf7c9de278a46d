-- Writes: snapshots.snapshot.
create or replace function api.place_snapshot(name text, url text)
returns void
language plpgsql
volatile parallel unsafe security definer
set search_path = pg_catalog, pg_temp
as $function$
declare
    v_id bigint;
begin
    perform policy.require_principal();
    v_id := snapshots.require_snapshot(place_snapshot.name);
    if place_snapshot.url !~ '^[a-z0-9+]+://[^?#@]+$' then
        perform core.fail(
            'argument_invalid',
            'the address of the copy must be a plain URL',
            null,
            'Omit user, password, query and fragment; credentials belong in the settings.'
        );
    end if;
    update snapshots.snapshot as s set artifact_url = place_snapshot.url where s.id = v_id and s.signature is not null;
    if not found then
        perform core.fail('snapshot_damaged', format('the snapshot %L has no signature yet', place_snapshot.name));
    end if;
end
$function$;
comment on function api.place_snapshot(text, text) is
'Records where a copy of the file (artifact) of a signed snapshot is stored. Arguments: name: name of the snapshot; '
'url: URL of the copy, without credentials (null: remove the stored URL). Raises QM404 snapshot_not_found, QM409 '
'snapshot_damaged, QM422 argument_invalid.';
grant execute on function api.place_snapshot to qm_admin;
