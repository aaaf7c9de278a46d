-- api.decide_item: an approved item can be found and used. A quarantined item cannot be found or used until somebody
-- approves it; the origin cannot end the quarantine. A deprecated item is out of use, even if its origin still offers
-- it.
-- Writes: catalog.item, catalog.item_version, cards.
create or replace function api.decide_item(
    kinds text[],
    name text,
    becomes text,
    version integer default null,
    reason text default '',
    dry_run boolean default false
)
returns table (kind text, was text, because text, current_version integer, findings bigint, calls bigint)
language plpgsql
volatile parallel unsafe security definer
rows 1
set search_path = pg_catalog, pg_temp
as $function$
declare
    v_principal_id constant bigint := policy.require_principal();
    v_item_id constant bigint := catalog.item_id(decide_item.kinds, decide_item.name);
begin
    if decide_item.becomes is null or decide_item.becomes not in ('approved', 'quarantined', 'deprecated') then
        perform core.fail(
            'argument_invalid',
            format('%L is not a valid decision', left(decide_item.becomes, 100)),
            null,
            'Use "approved", "quarantined" or "deprecated".'
        );
    end if;
    select
        i.kind, i.status, i.status_reason, i.version,
        (select count(*) from catalog.finding as f where f.item_id = i.id and f.version = i.version),
        (
            select count(*)
            from calls.call as c
            where c.kind = i.kind and c.ref = i.id and c.started_at > core.now() - interval '30 days'
        )
    into kind, was, because, current_version, findings, calls
    from catalog.item as i
    where i.id = v_item_id
    for no key update;
    -- An approval applies only to the version that the operator reviewed.
    if current_version <> decide_item.version then
        perform core.fail(
            search.kind_slug(array[kind], '_changed'),
            format(
                'the version of %L is now %s, no longer %s',
                left(decide_item.name, 200),
                current_version,
                decide_item.version
            )
        );
    end if;
    if not decide_item.dry_run then
        perform catalog.decide_items(array[v_item_id], decide_item.becomes, decide_item.reason, v_principal_id);
    end if;
    return next;
end
$function$;
comment on function api.decide_item(text[], text, text, integer, text, boolean) is
'Approves, quarantines or deprecates the current version of an item. Arguments: kinds: kinds of card in which to look '
'for the name (null: all kinds); name: public name of the item; becomes: the new status (approved, quarantined or '
'deprecated); version: the version that was reviewed (default: the newest version); reason: reason for the change; '
'dry_run: true to preview the change without making it. Returns: the kind of the item; the previous status of the '
'item, and the reason for that status; the reviewed version; the number of suspicious texts that scans found in this '
'version; and how often the item was called in the last 30 days. Raises QM404 tool_not_found, asset_not_found, '
'card_not_found, QM409 tool_changed, asset_changed, card_changed, asset_ambiguous, card_ambiguous, QM422 '
'argument_invalid. Can be null: because.';
grant execute on function api.decide_item to qm_operator;
