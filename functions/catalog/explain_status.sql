-- catalog.explain_status: who may see an item learns its status, as from catalog.refuse_withheld. The cause may quote
-- the definition, which nobody but operators reads before it is approved.
-- Definer: it reads items that wait for approval or are in quarantine.
create or replace function catalog.explain_status(p_kind text, p_name text, p_knows boolean)
returns jsonb
language plpgsql
stable parallel safe security definer
set search_path = pg_catalog, pg_temp
as $function$
declare
    v_found record;
begin
    perform policy.require_principal();
    select
        case
            when i.is_live then 'interface'
            when o.status = 'removed' then 'removed'
            when i.deprecated_at is null then i.status
            else 'gone'
        end as status,
        case
            when i.is_live then 'only the user interface of its server calls it'
            when o.status = 'removed' then 'its server was removed'
            when i.deprecated_at is not null then 'the server no longer offers it'
            when p_knows or i.status = 'deprecated' then nullif(i.status_reason, '')
        end as cause,
        coalesce(i.deprecated_at, i.status_at) as since,
        format('qm %s approve %s', case p_kind when 'tool' then 'tool' else 'asset' end, i.public_name) as command,
        o.name as origin
    into v_found
    from catalog.item as i
    inner join catalog.origin as o on o.id = i.origin_id
    where i.kind = p_kind
        and i.public_name = p_name
        and not (i.is_live and catalog.is_for_models(i.definition))
        and policy.is_visible(i.rights_class, (select policy.visible_classes()));
    if not found then
        return null;
    end if;
    return jsonb_build_object(
        'reason', 'status',
        'detail', jsonb_build_object('status', v_found.status, 'cause', v_found.cause, 'since', v_found.since),
        'remedy', case v_found.status
            when 'interface' then 'Its server can offer it to models: see _meta.ui.visibility in its definition.'
            when 'removed' then format('An operator can add the server again: qm origin add %s.', v_found.origin)
            when 'gone' then format(
                'An operator can read the list of the server again with: qm origin refresh %s.', v_found.origin
            )
            else format('An operator can approve it with: %s.', v_found.command)
        end
    );
end
$function$;
comment on function catalog.explain_status(text, text, boolean) is
'Explains why an item is not offered to anybody now. Arguments: p_kind: kind of card; p_name: public name of the item; '
'p_knows: whether the person who asks may read the cause of an approval or a quarantine. Returns {reason, detail, '
'remedy}; the status in the detail is pending, quarantined, deprecated, gone (no longer offered by its server) or '
'interface (only the user interface of its server calls it). Returns null if the item is offered, or if the caller may '
'not see it.';
grant execute on function catalog.explain_status to qm_reader;
