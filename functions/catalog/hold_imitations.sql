-- catalog.hold_imitations: an item is an imitation if an item of an older origin has the same name and nearly the same
-- description. Agents would confuse the two items. A second instance of the same server (the same program, or the same
-- host) is no imitation. A starter (a server that the service adds by itself) is no imitation either. The check covers
-- only kinds that agents call by name. It is skipped for origins whose approval setting is none.
-- Writes: catalog.item.
create or replace function catalog.hold_imitations(p_item_ids bigint[])
returns void
language plpgsql
volatile parallel unsafe security invoker
set search_path = pg_catalog, pg_temp
as $function$
declare
    v_approval constant text := core.get_setting('catalog.approval') #>> '{}';
begin
    with repeated as materialized (
        select distinct on (t.id) t.id, x.public_name, q.name as origin
        from unnest(p_item_ids) as g (id)
        inner join catalog.item as t on t.id = g.id
        inner join search.kind as k on k.name = t.kind and k.has_outcomes
        inner join catalog.origin as o on o.id = t.origin_id and not o.is_starter
        inner join catalog.item as x
            on x.skeleton = t.skeleton and x.kind = t.kind and x.is_live and x.origin_id < t.origin_id
        inner join catalog.origin as q on q.id = x.origin_id and q.status <> 'removed'
        where
            t.version = 1
            and t.status = 'approved'
            and coalesce(o.approval, v_approval) <> 'none'
            and ext.similarity(
                lower(left(t.definition ->> 'description', 2000) collate core.c_utf8),
                lower(left(x.definition ->> 'description', 2000) collate core.c_utf8)
            ) >= 0.9
            and not (
                o.transport = 'stdio'
                and q.transport = 'stdio'
                and catalog.server_of(o.command) = catalog.server_of(q.command)
            )
            and substring(o.url from '^https?://[^/]+')
                is distinct from coalesce(substring(q.url from '^https?://[^/]+'), '')
        order by t.id, x.id
    )

    update catalog.item as t
    set
        status = 'pending',
        status_reason = format('it repeats %s of %s', r.public_name, r.origin),
        approved_version = null
    from repeated as r
    where t.id = r.id;
end
$function$;
comment on function catalog.hold_imitations(bigint[]) is
'Makes new items wait for approval if they repeat an item of an older origin. Argument p_item_ids: ids of the new '
'items.';
