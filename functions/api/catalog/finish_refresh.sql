-- api.finish_refresh: ends a refresh. A complete one deprecates items that the origin no longer lists; a failed one
-- changes nothing else.
-- The instructions of a server are an item like its prompts: they are scanned, and withheld if they look poisoned or
-- wait for approval. The release number of the server is left out, so that a new release alone is not a change.
-- Definer because only its own functions may write the catalog; executable by operators.
-- Raises: QM404 refresh_not_found.  Writes: catalog.refresh, catalog.origin, catalog.item, catalog.item_version, catalog.finding, cards.
create or replace function api.finish_refresh(
    refresh_id bigint,
    failure_class text default null,
    failure text default null,
    protocol_version text default null,
    server_info jsonb default null,
    instructions text default null,
    kinds text[] default '{tool}'
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
        select
            count(*) filter (where p.outcome <> 'unchanged'), count(*) filter (where p.outcome in ('added', 'changed') and p.reason is not null)
        into v_changed, v_withheld
        from catalog.origin as o
        cross join lateral catalog.put_items('instructions', array[o.name], array[v_said || '{"name": "instructions"}'], p_by_hand => false) as p
        where o.id = v_refresh.origin_id and v_said <> '{}';
        -- Only after put_items, which locks the rules: whoever changes rules holds that lock and then waits for cards.
        v_deprecated := catalog.deprecate_items(v_refresh.origin_id, finish_refresh.kinds || '{instructions}', v_refresh.started_at);
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
                    select i.definition ->> 'description'
                    from catalog.item as i
                    where i.origin_id = o.id and i.kind = 'instructions' and i.is_live
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
comment on function api.finish_refresh(bigint, text, text, text, jsonb, text, text[]) is
'Arguments: running refresh; class (auth, network, timeout, schema, protocol, ...) and text of its failure, null for '
'success; what the server says about itself; the kinds whose list was stored completely: their other items are '
'deprecated. Announces changes on channel qm_catalog.';
grant execute on function api.finish_refresh to qm_operator;
