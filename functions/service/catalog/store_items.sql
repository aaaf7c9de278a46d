-- service.store_items: commit each batch, so that the batch is kept even if a later batch fails.
-- Changed items wait for approval if the approval setting of the origin says so. service.finish_refresh deprecates
-- items that were in no batch.
-- Writes: catalog.refresh, catalog.item, catalog.item_version, catalog.finding, cards.
create or replace function service.store_items(refresh_id bigint, kind text, items jsonb)
returns table (added integer, changed integer, unchanged integer, rejected integer, withheld integer)
language plpgsql
volatile parallel unsafe security definer
rows 1
set search_path = pg_catalog, pg_temp
as $function$
declare
    v_origin text;
    v_definitions jsonb[];
    v_rejected jsonb;
begin
    perform policy.require_principal();
    if jsonb_typeof(store_items.items) is distinct from 'array' then
        perform core.fail(
            search.kind_slug(array[store_items.kind], 's_invalid'), 'the batch of definitions must be a JSON array'
        );
    end if;
    select o.name
    into v_origin
    from catalog.refresh as r
    inner join catalog.origin as o on o.id = r.origin_id
    where r.id = store_items.refresh_id and r.status = 'running'
    for update of r;
    if v_origin is null then
        perform core.fail('refresh_not_found', format('no refresh with the id %s is running', store_items.refresh_id));
    end if;

    v_definitions := array(
        select e.item
        from jsonb_array_elements(store_items.items) with ordinality as e (item, position)
        order by e.position
    );
    select
        count(*) filter (where p.outcome = 'added'),
        count(*) filter (where p.outcome = 'changed'),
        count(*) filter (where p.outcome = 'unchanged'),
        count(*) filter (where p.outcome = 'rejected'),
        count(*) filter (where p.outcome in ('added', 'changed') and p.reason is not null),
        coalesce(
            jsonb_agg(
                jsonb_build_object('kind', store_items.kind, 'name', p.name, 'reason', p.reason)
            ) filter (where p.outcome = 'rejected'),
            '[]'
        )
    into added, changed, unchanged, rejected, withheld, v_rejected
    from catalog.put_items(
        store_items.kind, array_fill(v_origin, array[cardinality(v_definitions)]), v_definitions, p_by_hand => false
    ) as p;

    update catalog.refresh as r
    set
        added = r.added + store_items.added,
        changed = r.changed + store_items.changed,
        unchanged = r.unchanged + store_items.unchanged,
        withheld = r.withheld + store_items.withheld,
        rejected = r.rejected || v_rejected
    where r.id = store_items.refresh_id;
    return next;
end
$function$;
comment on function service.store_items(bigint, text, jsonb) is
'Stores one batch of items of one kind that a running refresh has read. Arguments: refresh_id: id of the running '
'refresh; kind: kind of card; items: JSON array of definitions of that kind. A tool''s definition has the members '
'name, title, description, input_schema, output_schema, annotations, categories, examples and extra. Other kinds have '
'the members that their origin lists. Returns the numbers of added, changed, unchanged and rejected items. Also '
'returns the number of added and changed items that are waiting for approval or are in quarantine. The rejected items, '
'and the reasons why they were rejected, are stored with the refresh. Raises QM404 refresh_not_found, kind_not_found, '
'QM422 tools_invalid, assets_invalid, cards_invalid.';
grant execute on function service.store_items to qm_operator;
