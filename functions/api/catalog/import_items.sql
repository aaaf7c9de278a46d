-- api.import_items: new origins become catalog entries without a connection. Nothing is deprecated, because a file need
-- not be complete.
-- Writes: catalog.origin, catalog.item, catalog.item_version, catalog.finding, cards.
create or replace function api.import_items(kind text, items jsonb)
returns table (name text, public_name text, outcome text, reason text)
language plpgsql
volatile parallel unsafe security definer
set search_path = pg_catalog, pg_temp
as $function$
declare
    v_origin record;
begin
    perform policy.require_principal();
    if jsonb_typeof(import_items.items) is distinct from 'array' then
        perform core.fail(
            search.kind_slug(array[import_items.kind], 's_invalid'), 'the batch of definitions must be a JSON array'
        );
    end if;
    for v_origin in
        select
            (e.item ->> 'origin') collate core.c_utf8 as name,
            max((e.item ->> 'origin_description') collate core.c_utf8) as description
        from jsonb_array_elements(import_items.items) as e (item)
        where coalesce(e.item ->> 'origin', '') <> ''
            and length(e.item ->> 'origin') <= 200
            and not exists (
                select from catalog.origin as o where o.name = e.item ->> 'origin' and o.status <> 'removed'
            )
        group by 1
        order by 1
    loop
        perform catalog.put_origin(
            v_origin.name, v_origin.description, 'none', '{}', null, null, '{}', '{}', null, '{}', '{}', false
        );
    end loop;
    return query
    select p.name, p.public_name, p.outcome, p.reason
    from (
        select
            array_agg(e.item ->> 'origin' order by e.position) as origins,
            array_agg(
                case
                    when jsonb_typeof(e.item) = 'object' then e.item - '{origin,origin_description}'::text[]
                    else e.item
                end order by e.position
            ) as definitions
        from jsonb_array_elements(import_items.items) with ordinality as e (item, position)
    ) as g
    cross join lateral catalog.put_items(import_items.kind, g.origins, g.definitions) as p;
end
$function$;
comment on function api.import_items(text, jsonb) is
'Stores one batch of item definitions from a file. Arguments: kind: kind of card; items: JSON array of definitions, '
'each with two additional members: origin (name of the origin) and origin_description. Returns for each definition, in '
'the given order: the name of the item, the public name of the item, the outcome (added, changed, unchanged or '
'rejected), and the reason why the item was rejected or is withheld. Raises QM404 kind_not_found, QM422 tools_invalid, '
'assets_invalid, cards_invalid. Can be null: public_name, reason.';
grant execute on function api.import_items to qm_operator;
