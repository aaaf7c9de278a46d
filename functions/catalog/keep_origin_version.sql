-- catalog.keep_origin_version: results of refreshes do not count as changes; they are stored in catalog.refresh.
-- Writes: catalog.origin_version.
create or replace function catalog.keep_origin_version()
returns trigger
language plpgsql
volatile parallel unsafe security invoker
set search_path = pg_catalog, pg_temp
as $function$
declare
    v_now constant timestamptz := core.now();
    v_connection constant jsonb := jsonb_build_object(
        'command', new.command,
        'url', new.url,
        'cwd', new.cwd,
        'environment', new.environment,
        'headers', new.headers,
        'auth_reference', new.auth_reference,
        'tls', new.tls,
        'meta', new.meta,
        'auth', new.auth,
        'sandbox', new.sandbox
    );
begin
    perform from catalog.origin_version as v
    where v.origin_id = new.id
        and v.valid_to is null
        and (v.name, v.description, v.transport, v.approval, v.is_removed, v.connection)
        is not distinct from (
            new.name, new.description, new.transport, new.approval, new.status = 'removed', v_connection
        );
    if found then
        return null;
    end if;
    update catalog.origin_version as v
    set valid_to = greatest(v.valid_from, v_now)
    where v.origin_id = new.id and v.valid_to is null;
    insert into catalog.origin_version (
        origin_id, version, valid_from, name, description, transport, approval, is_removed, connection
    )
    select
        new.id,
        coalesce(max(v.version), 0) + 1,
        v_now,
        new.name,
        new.description,
        new.transport,
        new.approval,
        new.status = 'removed',
        v_connection
    from catalog.origin_version as v
    where v.origin_id = new.id;
    return null;
end
$function$;
comment on function catalog.keep_origin_version() is
'Trigger that records the versions of an origin. The trigger runs after each inserted or updated row.';
