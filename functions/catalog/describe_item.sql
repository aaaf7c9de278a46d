create or replace function catalog.describe_item(p_ref bigint)
returns jsonb
language sql
stable parallel safe security invoker
set search_path = pg_catalog, pg_temp
as $function$
    select jsonb_build_object(
        'version', i.version,
        'categories', i.categories,
        'traits', i.traits,
        'definition', i.definition - '{pinned,repair}'::text[]
    )
    from catalog.item as i
    where i.id = p_ref and i.is_live;
$function$;
comment on function catalog.describe_item(bigint) is
'Describes an item for api.describe_card. Argument p_ref: id of the item. Returns JSON {version, categories, traits, '
'definition} for an item that is offered now and that the caller may see (null: there is no such item).';
grant execute on function catalog.describe_item to qm_reader;
