-- catalog.keep_versions: an item whose version is unchanged is skipped. A statement that waited for another one may
-- have begun before that one: so no version begins or ends before the previous one has begun.
-- Writes: catalog.item_version.
create or replace function catalog.keep_versions(p_item_ids bigint[])
returns void
language plpgsql
volatile parallel unsafe security invoker
set search_path = pg_catalog, pg_temp
as $function$
begin
    update catalog.item_version as v
    set valid_to = greatest(v.valid_from, core.now())
    from catalog.item as i
    where i.id = any(p_item_ids) and v.item_id = i.id and v.valid_to is null and v.version <> i.version;
    insert into catalog.item_version (item_id, version, valid_from, content_hash, approved_at, definition)
    select
        i.id,
        i.version,
        greatest(
            core.now(), (select max(v.valid_from) from catalog.item_version as v where v.item_id = i.id)
        ),
        i.content_hash,
        case when i.status = 'approved' then core.now() end,
        i.definition
    from catalog.item as i
    where i.id = any(p_item_ids)
        and not exists (select from catalog.item_version as v where v.item_id = i.id and v.version = i.version);
end
$function$;
comment on function catalog.keep_versions(bigint[]) is
'Records a new version for each changed item, and ends the previous version of the item. Argument p_item_ids: ids of '
'the changed items.';
