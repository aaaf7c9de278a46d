-- service.finish_refresh: a successful refresh deprecates items that the origin no longer lists; a failed refresh
-- changes no items. The instructions of a server are treated like its other items: they are scanned, and withheld if
-- they look poisoned or wait for approval.
-- Writes: catalog.refresh, catalog.origin, catalog.item, catalog.item_version, catalog.finding, cards.
create or replace function service.finish_refresh(
    refresh_id bigint,
    failure_class text default null,
    failure text default null,
    protocol_version text default null,
    server_info jsonb default null,
    said jsonb default '{}',
    kinds text[] default '{}',
    warnings text[] default '{}'
)
returns void
language plpgsql
volatile parallel unsafe security definer
set search_path = pg_catalog, pg_temp
as $function$
declare
    v_refresh catalog.refresh;
    v_deprecated integer := 0;
    v_changed integer := 0;
    v_withheld integer := 0;
begin
    perform policy.require_principal();
    select *
    into v_refresh
    from catalog.refresh as r
    where r.id = finish_refresh.refresh_id and r.status = 'running'
    for update;
    if v_refresh.id is null then
        perform core.fail(
            'refresh_not_found', format('no refresh with the id %s is running', finish_refresh.refresh_id)
        );
    end if;

    if finish_refresh.failure_class is null then
        select
            count(*) filter (where p.outcome <> 'unchanged'),
            count(*) filter (where p.outcome in ('added', 'changed') and p.reason is not null)
        into v_changed, v_withheld
        from catalog.origin as o
        inner join search.kind as k on k.describes_origin
        cross join lateral catalog.put_items(
            k.name,
            array[o.name],
            array[finish_refresh.said || jsonb_build_object(k.name_member, k.name)],
            p_by_hand => false
        ) as p
        where o.id = v_refresh.origin_id and finish_refresh.said <> '{}';
        -- First put_items locks the rules, and then items are deprecated, which locks cards. A transaction that changes
        -- rules takes the locks in the same order.
        v_deprecated := catalog.deprecate_items(
            v_refresh.origin_id,
            finish_refresh.kinds || array(select k.name from search.kind as k where k.describes_origin),
            v_refresh.started_at
        );
        -- The first refresh shows whether the origin is the user's own copy of a starter. Later ones do not count, and
        -- nor do servers that are not run here: an origin that comes to offer the tools of a starter imitates it, and
        -- everybody knows the definitions of a starter.
        select v_withheld - coalesce(sum(catalog.make_room(catalog.twin_starters(o.id), o.id)), 0)
        into v_withheld
        from catalog.origin as o
        where
            o.id = v_refresh.origin_id
            and o.transport = 'stdio'
            and o.refreshed_at is null
            and not o.is_starter
            and o.status <> 'removed';
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
                    inner join search.kind as k on k.name = i.kind and k.describes_origin
                    where i.origin_id = o.id and i.is_live
                ),
                ''
            )
        where o.id = v_refresh.origin_id and o.status <> 'removed';
    else
        update catalog.origin as o
        set
            status = 'failing',
            failure_class = finish_refresh.failure_class,
            failure = left(finish_refresh.failure, 2000)
        where o.id = v_refresh.origin_id and o.status <> 'removed';
    end if;

    update catalog.refresh as r
    set
        status = case when finish_refresh.failure_class is null then 'done' else 'failed' end,
        finished_at = core.now(),
        deprecated = v_deprecated,
        withheld = r.withheld + v_withheld,
        failure_class = finish_refresh.failure_class,
        failure = left(finish_refresh.failure, 2000),
        warnings = array(
            select left(w.text, 1000)
            from unnest(
                finish_refresh.warnings || array(
                    select format('the repair of %s is set aside in part: %s', i.public_name, a.sentence)
                    from catalog.item as i
                    cross join lateral jsonb_array_elements_text(i.definition #> '{repair,aside}') as a (sentence)
                    where i.origin_id = v_refresh.origin_id and i.deprecated_at is null
                    order by i.public_name
                )
            ) with ordinality as w (text, n)
            where w.n <= 20
            order by w.n
        )
    where r.id = v_refresh.id;
    if v_refresh.added + v_refresh.changed + v_deprecated + v_changed > 0 then
        perform pg_notify('qm_catalog', v_refresh.origin_id::text);
    end if;
end
$function$;
comment on function service.finish_refresh(bigint, text, text, text, jsonb, jsonb, text[], text[]) is
'Records the end of a refresh, in which the service has read an origin''s lists of items. Arguments: refresh_id: id of '
'the running refresh; failure_class: class of the failure, such as auth, network, timeout, schema or protocol (null: '
'the refresh succeeded); failure: text of the failure; protocol_version: protocol version that the server uses; '
'server_info: the object serverInfo of the server; said: the description that the server gives of itself, in the form '
'of an item''s definition (''{}'' if the server gives none); kinds: kinds of card whose lists the service has stored '
'completely; warnings: sentences about what the service has left out or could not understand. With sentences about '
'repairs that do not fit any more, 20 are kept. The function deprecates items of these kinds that were not in the '
'lists. The argument `said` must not contain the server''s release number, so that a new release alone does not count '
'as a change. Announces changes on channel qm_catalog. Raises QM404 refresh_not_found.';
grant execute on function service.finish_refresh to qm_operator;
