create or replace function api.get_refresh(refresh_id bigint)
returns table (
    origin text,
    status text,
    added integer,
    changed integer,
    unchanged integer,
    deprecated integer,
    rejected jsonb,
    withheld integer,
    failure_class text,
    failure text,
    started_at timestamptz,
    finished_at timestamptz,
    warnings text[]
)
language plpgsql
stable parallel safe security definer
set search_path = pg_catalog, pg_temp
as $function$
begin
    perform policy.require_principal();
    return query
    select
        o.name, r.status, r.added, r.changed, r.unchanged, r.deprecated, r.rejected, r.withheld,
        r.failure_class, r.failure, r.started_at, r.finished_at, r.warnings
    from catalog.refresh as r
    inner join catalog.origin as o on o.id = r.origin_id
    where r.id = get_refresh.refresh_id;
    if not found then
        perform core.fail('refresh_not_found', format('there is no refresh with the id %s', get_refresh.refresh_id));
    end if;
end
$function$;
comment on function api.get_refresh(bigint) is
'Describes a refresh (one reading of an origin''s lists of items). Argument refresh_id: id of the refresh. Returns: '
'the status of the refresh (requested, running, done or failed); the numbers of items that were added, changed, '
'unchanged, deprecated, rejected and withheld; the rejected definitions; the text of the failure; and warnings about '
'what was left out or not understood although the refresh succeeded. Withheld items are added or changed items that '
'are waiting for approval or are in quarantine. Raises QM404 refresh_not_found. Can be null: failure_class, failure, '
'started_at, finished_at.';
alter function api.get_refresh owner to qm_reader;
grant execute on function api.get_refresh to qm_operator;
