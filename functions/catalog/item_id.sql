create or replace function catalog.item_id(p_kinds text[], p_name text)
returns bigint
language plpgsql
stable parallel safe security invoker
set search_path = pg_catalog, pg_temp
as $function$
declare
    v_ids constant bigint[] := array(
        select i.id
        from catalog.item as i
        where i.public_name = p_name
            and (p_kinds is null or i.kind = any(p_kinds))
            and policy.is_visible(i.rights_class, (select policy.visible_classes()))
    );
begin
    if v_ids = '{}' then
        perform core.fail(
            search.kind_slug(p_kinds, '_not_found'),
            format(
                'there is no %s called %L',
                coalesce(replace(array_to_string(p_kinds, ' or '), '_', ' '), 'card'),
                left(p_name, 200)
            )
        );
    end if;
    if cardinality(v_ids) > 1 then
        perform core.fail(
            search.kind_slug(p_kinds, '_ambiguous'),
            format('items of several kinds have the name %L', left(p_name, 200))
        );
    end if;
    return v_ids[1];
end
$function$;
comment on function catalog.item_id(text[], text) is
'Finds an item that the caller may see. The item may have any status. Arguments: p_kinds: kinds of card (null: all '
'kinds); p_name: public name of the item. Returns the id of the item. If there is no such item, raises the kind''s own '
'error for an unknown name (QM404 tool_not_found, asset_not_found, card_not_found). Raises QM409 asset_ambiguous, '
'card_ambiguous.';
grant execute on function catalog.item_id to qm_reader;
