-- api.decide_asset: an operator's word on a resource, template or prompt, as it is now: let in, put out of reach, or retired.
-- Definer because the catalog is written by its own functions only; executable by operators.
-- Raises: QM404 asset_not_found, QM409 asset_ambiguous, asset_changed, QM422 argument_invalid.
-- Writes: catalog.asset, catalog.asset_version.
create or replace function api.decide_asset(
    name text, becomes text, kind text default null, version integer default null, reason text default '', dry_run boolean default false
)
returns table (was text, because text, current_version integer, findings bigint)
language plpgsql
volatile parallel unsafe security definer
set search_path = pg_catalog, pg_temp
as $function$
declare
    v_principal_id constant bigint := policy.require_principal();
    v_asset_id constant bigint := catalog.asset_id(decide_asset.name, decide_asset.kind);
begin
    if decide_asset.becomes is null or decide_asset.becomes not in ('approved', 'quarantined', 'deprecated') then
        perform core.fail(
            'argument_invalid', format('%L is nothing that can be decided', left(decide_asset.becomes, 100)), null,
            'Say approved, quarantined or deprecated.'
        );
    end if;
    select
        a.status, a.status_reason, a.version,
        (select count(*) from catalog.asset_finding as f where f.asset_id = a.id and f.version = a.version)
    into was, because, current_version, findings
    from catalog.asset as a
    where a.id = v_asset_id
    for no key update;
    -- What is approved is what was looked at.
    if current_version <> decide_asset.version then
        perform core.fail(
            'asset_changed', format('%L is at version %s, no more at %s', left(decide_asset.name, 200), current_version, decide_asset.version)
        );
    end if;
    if not decide_asset.dry_run then
        perform catalog.decide_assets(array[v_asset_id], decide_asset.becomes, decide_asset.reason, v_principal_id);
    end if;
    return next;
end
$function$;
comment on function api.decide_asset(text, text, text, integer, text, boolean) is
'Arguments: public name; approved, quarantined or deprecated; kind, where several have the name; the version that was looked at (default: whatever is newest); why; whether only to say what it is. Returns the status it had and why, the version, and how many findings that has.';
grant execute on function api.decide_asset to qm_operator;
