-- catalog.refuse_withheld: the error does not show the definition of the item.
create or replace function catalog.refuse_withheld(p_kind text, p_name text)
returns void
language plpgsql
stable parallel safe security definer
set search_path = pg_catalog, pg_temp
as $function$
declare
    v_status constant text := (
        select i.status
        from catalog.item as i
        where i.kind = p_kind
            and i.public_name = p_name
            and i.status in ('pending', 'quarantined')
            and i.deprecated_at is null
            and policy.is_visible(i.rights_class, (select policy.visible_classes()))
    );
begin
    perform policy.require_principal();
    if v_status is not null then
        perform core.fail(
            search.kind_slug(array[p_kind], '_withheld'),
            format(
                case v_status
                    when 'pending' then 'the %s %L is waiting for approval, and cannot be used yet'
                    else 'the %s %L is in quarantine, and cannot be used'
                end,
                p_kind,
                p_name
            )
        );
    end if;
end
$function$;
comment on function catalog.refuse_withheld(text, text) is
'Raises an error if an item is withheld (waiting for approval, or in quarantine) and the caller could otherwise see '
'the item. Each kind has an error of its own: QM409 tool_withheld, asset_withheld or card_withheld. Arguments: p_kind: '
'kind of card; p_name: public name of the item. For all other items, the function does nothing.';
grant execute on function catalog.refuse_withheld to qm_reader;
