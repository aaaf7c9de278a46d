-- api.list_receipts: pages follow each other by time and number, not by position, so that new receipts move no page.
-- Callers who see only their own receipts name themselves, because the row policy alone cannot use the index of the
-- principal. A filter names a card or an origin only if the caller may see it now: otherwise, a filter would tell who
-- was offered something hidden.
create or replace function api.list_receipts(
    limit_to integer default 50,
    by_principal text default null,
    of_kind text default null,
    of_card text default null,
    of_origin text default null,
    of_outcome text default null,
    nothing_fitted boolean default false,
    since timestamptz default null,
    before_id bigint default null
)
returns table (
    receipt bigint,
    at timestamptz,
    principal text,
    kind text,
    goal text,
    offered integer,
    fitted boolean,
    first text,
    calls integer,
    outcome text
)
language plpgsql
stable parallel safe security definer
rows 50
set search_path = pg_catalog, pg_temp
set plan_cache_mode = force_custom_plan -- which index to use depends on the filters
as $function$
declare
    v_principal_id bigint := policy.require_principal();
    v_is_of_card constant boolean := list_receipts.of_card is not null or list_receipts.of_origin is not null;
    v_kinds text[]; -- kinds of the cards of the origin
    v_keys text[]; -- cards that the filters name, as KIND ID
    v_before timestamptz;
begin
    perform core.require_between(
        'limit_to', list_receipts.limit_to, 1, 1000, 'For more, give the last number of this page as before_id.'
    );
    if list_receipts.of_outcome not in ('ok', 'failed', 'pending', 'not_called') then
        perform core.fail(
            'argument_invalid',
            format('there is no outcome called %L', left(list_receipts.of_outcome, 200)),
            null,
            'Use one of: ok, failed, pending, not_called.'
        );
    end if;
    if list_receipts.by_principal is not null then
        v_principal_id := (select p.id from policy.principal as p where p.name = list_receipts.by_principal);
        if v_principal_id is null then
            return;
        end if;
    elsif policy.has_role('admin') then
        v_principal_id := null;
    end if;
    if v_is_of_card then
        select array_agg(x.kind || ' ' || x.ref), array_agg(distinct x.kind)
        into v_keys, v_kinds
        from (
            select c.kind, c.ref
            from search.kind as k
            inner join search.card as c on c.kind = k.name
            where (list_receipts.of_card is null or c.name = list_receipts.of_card)
                and (list_receipts.of_origin is null or c.origin = list_receipts.of_origin)
            union
            select i.kind, i.id
            from search.kind as k
            inner join catalog.item as i on i.kind = k.name
            inner join catalog.origin as o on o.id = i.origin_id
            where (list_receipts.of_card is null or i.public_name = list_receipts.of_card)
                and (list_receipts.of_origin is null or o.name = list_receipts.of_origin)
        ) as x
        where list_receipts.of_kind is null or x.kind = list_receipts.of_kind;
        if v_keys is null then
            return;
        end if;
    end if;
    if list_receipts.before_id is not null then
        v_before := (select r.created_at from selection.receipt as r where r.id = list_receipts.before_id);
        if v_before is null then
            return;
        end if;
    end if;

    return query
    with page as materialized (
        select r.id, r.created_at, r.principal_id, r.kind, r.goal, r.offered, f.fitted, c.calls, c.outcome
        from selection.receipt as r
        cross join lateral (
            select coalesce(bool_or((o.offer -> 'weak') is distinct from 'true'), false) as fitted
            from jsonb_array_elements(r.offered) as o (offer)
        ) as f
        cross join lateral (
            select
                count(*)::integer as calls,
                case
                    when count(*) = 0 then 'not_called'
                    when bool_or(x.outcome = 'ok') then 'ok'
                    when bool_or(x.outcome = 'pending') then 'pending'
                    else 'failed'
                end as outcome
            from selection.receipt_calls(array[r.id]) as x
        ) as c
        where (v_principal_id is null or r.principal_id = v_principal_id)
            and (list_receipts.of_kind is null or r.kind = list_receipts.of_kind)
            and (list_receipts.since is null or r.created_at >= list_receipts.since)
            and (v_before is null or (r.created_at, r.id) < (v_before, list_receipts.before_id))
            and (
                not v_is_of_card
                or exists (
                    select
                    from jsonb_array_elements(r.offered) as o (offer)
                    where r.kind || ' ' || (o.offer ->> 'ref') = any(v_keys)
                )
                or list_receipts.of_card is null and r.origin = list_receipts.of_origin and r.kind = any(v_kinds)
            )
            and (list_receipts.nothing_fitted is not true or not f.fitted)
            and (list_receipts.of_outcome is null or c.outcome = list_receipts.of_outcome)
        order by r.created_at desc, r.id desc
        limit list_receipts.limit_to
    )

    select
        p.id,
        p.created_at,
        n.name,
        p.kind,
        p.goal,
        jsonb_array_length(p.offered),
        p.fitted,
        (
            select o.name
            from catalog.offered_cards(array[p.id]) as o
            where o.name is not null
            order by o.rank
            limit 1
        ),
        p.calls,
        p.outcome
    from page as p
    left join policy.principal as n on n.id = p.principal_id
    order by p.created_at desc, p.id desc;
end
$function$;
comment on function api.list_receipts(
    integer, text, text, text, text, text, boolean, timestamptz, bigint
) is
'Lists receipts (records of searches), the newest first. Users see their own receipts, and administrators see all '
'receipts. Example: `select at, goal, first from list_receipts(nothing_fitted => true);` '
'Arguments: limit_to: maximum number of '
'receipts, from 1 to 1000; by_principal: return only searches by the principal of this name; of_kind: return only '
'searches for this kind of card; of_card: return only searches that returned the card of this name, such as a tool; '
'of_origin: return only searches that returned a card of this origin; of_outcome: ok (a returned card was called '
'successfully), failed (all calls failed), pending (a call is in progress) or not_called; nothing_fitted: true to '
'return only searches that found no card that fits; since: return only searches since this time; before_id: return '
'only receipts after the receipt with this number in the list (the last number of the page before). A filter that is '
'null does not restrict the list. A card or an origin that the caller may not see now matches nothing. Returns for '
'each receipt: its number; the time; the principal; the kind of card; the goal (null: only its hash is stored); the '
'number of returned cards; whether one of them fits the goal; the best returned card that the caller may see now; the '
'number of calls of the returned cards; and the outcome. Raises QM422 argument_invalid. Can be null: principal, goal, '
'first.';
alter function api.list_receipts owner to qm_reader;
grant execute on function api.list_receipts to qm_user;
