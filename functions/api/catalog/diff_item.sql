-- api.diff_item: for a new item, everything counts as new. Row policies decide which items operators see.
create or replace function api.diff_item(
    kinds text[], name text, from_version integer default null, to_version integer default null
)
returns table (version_before integer, version_after integer, member text, before text, after text)
language plpgsql
stable parallel safe security definer
set search_path = pg_catalog, pg_temp
as $function$
declare
    v_item_id bigint;
    v_kind text;
    v_from integer;
    v_to integer;
begin
    perform policy.require_principal();
    v_item_id := catalog.item_id(diff_item.kinds, diff_item.name);
    select
        i.kind,
        coalesce(diff_item.from_version, i.approved_version, i.version - 1),
        coalesce(diff_item.to_version, i.version)
    into v_kind, v_from, v_to
    from catalog.item as i
    where i.id = v_item_id;
    -- Version 0 stands for the time before the item existed.
    perform from unnest(array[v_from, v_to]) as w (version)
    where w.version <> 0
        and not exists (select from catalog.item_version as v where v.item_id = v_item_id and v.version = w.version);
    if found then
        perform core.fail(
            search.kind_slug(array[v_kind], '_version_not_found'),
            format('version %s or %s of %L does not exist', v_from, v_to, left(diff_item.name, 200))
        );
    end if;
    return query
    select v_from, v_to, d.member, d.before, d.after
    from catalog.diff_versions(v_item_id, v_from, v_to) as d;
end
$function$;
comment on function api.diff_item(text[], text, integer, integer) is
'Shows what changed in an item, by default between the last approved version and the newest version. Arguments: kinds: '
'kinds of card in which to look for the name (null: all kinds); name: public name of the item; from_version: the first '
'version to compare (default: the approved version, or else the last version before the newest version; 0: an empty '
'definition); to_version: the second version to compare (default: the newest version). Returns for each member that '
'differs: the path of the member, its value in the first version, and its value in the second version (null: this '
'version does not have the member). Raises QM404 tool_not_found, asset_not_found, card_not_found, '
'tool_version_not_found, card_version_not_found, QM409 asset_ambiguous, card_ambiguous. Can be null: before, '
'version_before, after.';
alter function api.diff_item owner to qm_reader;
grant execute on function api.diff_item to qm_operator;
