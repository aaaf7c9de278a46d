-- api.finish_refresh: ends a refresh. Only a complete one deprecates what it did not see; a failed one keeps the rest as it was.
-- Definer because the catalog is written by its own functions only; executable by operators.
-- What the server says of itself is an asset like its prompts: scanned, and withheld where it looks poisoned or waits. Its version is left
-- out, so that a new release is no other text.
-- Raises: QM404 refresh_not_found.  Writes: catalog.refresh, catalog.origin, catalog.tool, catalog.asset, cards.
create or replace function api.finish_refresh(
    refresh_id bigint,
    failure_class text default null,
    failure text default null,
    protocol_version text default null,
    server_info jsonb default null,
    instructions text default null
)
returns void
language plpgsql
volatile parallel unsafe security definer
set search_path = pg_catalog, pg_temp
as $function$
declare
    v_refresh catalog.refresh;
    v_deprecated integer := 0;
    v_said jsonb;
    v_changed integer := 0;
    v_withheld integer := 0;
begin
    perform policy.require_principal();
    select * into v_refresh
    from catalog.refresh as r
    where r.id = finish_refresh.refresh_id and r.status = 'running'
    for update;
    if v_refresh.id is null then
        perform core.fail('refresh_not_found', format('there is no running refresh %s', finish_refresh.refresh_id));
    end if;

    if finish_refresh.failure_class is null then
        v_said := jsonb_strip_nulls(
            jsonb_build_object(
                'server', finish_refresh.server_info -> 'name',
                'title', finish_refresh.server_info -> 'title',
                'description', finish_refresh.server_info -> 'description',
                'instructions', finish_refresh.instructions
            )
        );
        select p.changed, p.withheld into v_changed, v_withheld
        from catalog.put_assets(
            v_refresh.origin_id, 'instructions', case when v_said = '{}' then '[]' else jsonb_build_array(v_said || '{"name": "instructions"}') end
        ) as p;
        -- After it: whoever changes rules holds them, and then waits for cards.
        v_deprecated := catalog.deprecate_tools(v_refresh.origin_id, v_refresh.started_at);
        update catalog.origin as o
        set
            status = 'ready',
            failure_class = null,
            failure = null,
            refreshed_at = core.now(),
            protocol_version = finish_refresh.protocol_version,
            server_info = finish_refresh.server_info,
            description = coalesce(
                nullif(o.description, ''),
                (
                    select a.definition ->> 'description'
                    from catalog.asset as a
                    where a.origin_id = o.id and a.kind = 'instructions' and a.is_live
                ),
                ''
            )
        where o.id = v_refresh.origin_id and o.status <> 'removed';
    else
        update catalog.origin as o
        set status = 'failing', failure_class = finish_refresh.failure_class, failure = left(finish_refresh.failure, 2000)
        where o.id = v_refresh.origin_id and o.status <> 'removed';
    end if;

    update catalog.refresh as r
    set
        status = case when finish_refresh.failure_class is null then 'done' else 'failed' end,
        finished_at = core.now(),
        deprecated = v_deprecated,
        withheld = r.withheld + v_withheld,
        failure_class = finish_refresh.failure_class,
        failure = left(finish_refresh.failure, 2000)
    where r.id = v_refresh.id;
    if v_refresh.added + v_refresh.changed + v_deprecated + v_changed > 0 then
        perform pg_notify('qm_catalog', v_refresh.origin_id::text);
    end if;
end
$function$;
comment on function api.finish_refresh(bigint, text, text, text, jsonb, text) is
'Arguments: running refresh; class (auth, network, timeout, schema, protocol, ...) and text of its failure, null for success; what the server said of itself. Announces a changed catalog on channel qm_catalog.';
grant execute on function api.finish_refresh to qm_operator;
