-- api.receipts: the view api.receipts reads it. Row policies hide the receipts of others, and the cards and origins
-- that the caller may not see now. Users do not learn how many of the found cards a rule hid (not_visible).
create or replace function api.receipts(since timestamptz default '-infinity')
returns table (
    receipt bigint,
    at timestamptz,
    principal text,
    goal text,
    first text,
    offered integer,
    withheld bigint,
    mode text,
    kind text,
    origin text,
    duration_ms real,
    door text,
    request_id text
)
language sql
stable parallel safe security definer
set search_path = pg_catalog, pg_temp
as $function$
    select
        r.id,
        r.created_at,
        p.name,
        r.goal,
        f.name,
        jsonb_array_length(r.offered),
        w.withheld,
        r.mode,
        r.kind,
        case when exists (select from search.card as c where c.kind = r.kind and c.origin = r.origin) then r.origin end,
        r.duration_ms,
        r.door,
        r.request_id
    from selection.receipt as r
    left join policy.principal as p on p.id = r.principal_id
    left join lateral (
        select n.name
        from jsonb_array_elements(r.offered) with ordinality as o (offer, place)
        cross join lateral (
            select c.name
            from search.card as c
            where c.kind = r.kind and c.ref = (o.offer ->> 'ref')::bigint
            union all
            select i.public_name
            from catalog.item as i
            where i.kind = r.kind and i.id = (o.offer ->> 'ref')::bigint
        ) as n
        order by o.place
        limit 1
    ) as f on true
    cross join lateral (
        select coalesce(sum(x.cards::integer), 0)::bigint as withheld
        from jsonb_each_text(r.withheld) as x (rule, cards)
        where x.rule <> 'not_visible' or (select policy.has_role('operator'))
    ) as w
    where r.created_at >= receipts.since
    order by r.id desc;
$function$;
comment on function api.receipts(timestamptz) is
'Lists receipts (records of searches), the newest first, for the view api.receipts. Users and operators see their own '
'receipts, and administrators see all receipts. Argument since: list only searches at this time or later (default: all '
'that are kept). Returns for each receipt: its number and time; the principal; the goal (null: goals of this kind are '
'not stored); the best offered card that the caller may see now, the number of the offered cards, and how many cards '
'were withheld (for users without those that rules hid); the mode; the kind of card, and the origin if only one was '
'searched; the duration in milliseconds; the door; and the id of the request. Can be null: principal, goal, first, '
'origin, door, request_id.';
alter function api.receipts owner to qm_reader;
grant execute on function api.receipts to qm_user;
