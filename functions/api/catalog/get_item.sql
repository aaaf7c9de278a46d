-- api.get_item: withheld items are shown, too, so that an operator can decide about them. Row policies decide which
-- items operators see.
create or replace function api.get_item(kinds text[], name text)
returns jsonb
language plpgsql
stable parallel safe security definer
set search_path = pg_catalog, pg_temp
as $function$
declare
    v_item_id bigint;
begin
    perform policy.require_principal();
    v_item_id := catalog.item_id(get_item.kinds, get_item.name);
    return (
        select
            to_jsonb(i) - '{id,origin_id,skeleton}'::text[]
            || jsonb_build_object(
                'origin', o.name,
                'content_hash', encode(i.content_hash, 'hex'),
                'versions', (
                    select jsonb_agg(
                        jsonb_build_object(
                            'version', v.version,
                            'valid_from', v.valid_from,
                            'valid_to', v.valid_to,
                            'approved_at', v.approved_at,
                            'approved_by', p.name,
                            'content_hash', encode(v.content_hash, 'hex')
                        ) order by v.version
                    )
                    from catalog.item_version as v
                    left join policy.principal as p on p.id = v.approved_by
                    where v.item_id = i.id
                ),
                'findings', (
                    select coalesce(
                        jsonb_agg(
                            to_jsonb(f) - 'item_id' || jsonb_build_object('meaning', r.meaning)
                            order by f.severity, f.rule, f.member
                        ),
                        '[]'
                    )
                    from catalog.finding as f
                    inner join catalog.scan_rule as r on r.name = f.rule
                    where f.item_id = i.id and f.version = i.version
                ),
                'probes', (
                    select coalesce(jsonb_agg(to_jsonb(b) - 'item_id' order by b.probed_at desc, b.call_id desc), '[]')
                    from (
                        select b.*
                        from calls.probe as b
                        where b.item_id = i.id
                        order by b.probed_at desc, b.call_id desc
                        limit 20
                    ) as b
                )
            )
        from catalog.item as i
        inner join catalog.origin as o on o.id = i.origin_id
        where i.id = v_item_id
    );
end
$function$;
comment on function api.get_item(text[], text) is
'Shows all details of an item to an operator who must decide about the item. The item may have any status. Arguments: '
'kinds: kinds of card in which to look for the name (null: all kinds); name: public name of the item. Returns JSON '
'with the columns of catalog.item and these members: origin: name of the origin; versions: all versions of the item; '
'findings: what scans found in the newest version; probes: results of the newest test calls. Raises QM404 '
'tool_not_found, asset_not_found, card_not_found, QM409 asset_ambiguous, card_ambiguous.';
alter function api.get_item owner to qm_reader;
grant execute on function api.get_item to qm_operator;
