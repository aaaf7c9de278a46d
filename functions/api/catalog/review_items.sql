-- api.review_items: row policies decide which items operators see.
create or replace function api.review_items(
    kinds text[] default null,
    of_origin text default null,
    with_status text default null,
    maximum integer default 100,
    as_of timestamptz default null
)
returns table (
    name text,
    kind text,
    origin text,
    status text,
    reason text,
    version integer,
    approved_version integer,
    severity text,
    findings text[],
    downrank real,
    dishonesty real,
    brief text,
    since timestamptz
)
language plpgsql
stable parallel safe security definer
rows 100
set search_path = pg_catalog, pg_temp
as $function$
begin
    perform policy.require_principal(), core.require_past(review_items.as_of);
    if review_items.kinds is not null then
        perform search.require_kinds(review_items.kinds);
    end if;
    -- The items of an origin can still be listed after the origin has been removed.
    if review_items.of_origin is not null
        and not exists (select from catalog.origin as o where o.name = review_items.of_origin)
    then
        perform catalog.origin_id(review_items.of_origin);
    end if;
    if review_items.as_of is not null and review_items.with_status <> 'approved' then
        perform core.fail(
            'argument_invalid',
            format('as_of cannot be combined with the status %s', review_items.with_status),
            null,
            'Omit one of the two: with as_of, only items that were offered at that time are listed.'
        );
    end if;
    return query
    select
        i.public_name,
        i.kind,
        o.name,
        w.status,
        case when review_items.as_of is null then i.status_reason else '' end,
        w.version,
        case when review_items.as_of is null then i.approved_version else w.version end,
        f.severity,
        f.rules,
        i.downrank,
        i.dishonesty,
        w.brief,
        w.since
    from catalog.item as i
    inner join catalog.origin as o on o.id = i.origin_id
    cross join lateral (
        select
            i.version,
            case when i.deprecated_at is null then i.status else 'gone' end as status,
            i.brief,
            i.status_at as since
        where review_items.as_of is null
        union all
        select
            f.version,
            'approved',
            catalog.brief(
                coalesce(v.definition ->> 'brief', v.definition ->> 'description', v.definition ->> 'title')
            ),
            f.valid_from
        from catalog.offer as f
        inner join catalog.item_version as v on v.item_id = f.item_id and v.version = f.version
        where f.item_id = i.id
            and f.valid_from <= review_items.as_of
            and (f.valid_to is null or f.valid_to > review_items.as_of)
    ) as w
    left join lateral (
        select
            case
                when bool_or(n.severity = 'high') then 'high'
                when bool_or(n.severity = 'medium') then 'medium'
                else 'low'
            end as severity,
            array_agg(distinct n.rule order by n.rule) as rules
        from catalog.finding as n
        where n.item_id = i.id and n.version = w.version
        having count(*) > 0
    ) as f on true
    where (review_items.kinds is null or i.kind = any(review_items.kinds))
        and (review_items.of_origin is null or o.name = review_items.of_origin)
        and case
            when review_items.with_status is null then w.status <> 'gone'
            else w.status = review_items.with_status
        end
    order by w.status = 'approved', f.severity = 'high' desc nulls last, i.kind, i.public_name
    limit greatest(review_items.maximum, 0);
end
$function$;
comment on function api.review_items(text[], text, text, integer, timestamptz) is
'Lists items with their status. Example: `select name, status, reason, findings from review_items(with_status => '
'''quarantined'');` Items that are waiting for a decision come first. Arguments: kinds: kinds of card (null: all '
'kinds); of_origin: name of an origin (null: all origins); with_status: return only items with this status: approved, '
'pending, quarantined, deprecated or gone (null: any status); maximum: maximum number of rows to return; as_of: a time '
'in the past, to list the items that were offered then. The caller''s present rights apply, not the rights at that '
'time. Returns for each item: the public name, kind and origin; the status with the reason for this status; the newest '
'version and the approved version; the worst severity among the findings, and the rules that found something; the '
'amounts by which operators and probes (test calls) lower the rank of the item; a brief description; and the time when '
'the item got this status (with as_of: the time from which the version was offered). Raises QM404 kind_not_found, '
'origin_not_found, QM422 argument_invalid. Can be null: approved_version, severity, findings.';
alter function api.review_items owner to qm_reader;
grant execute on function api.review_items to qm_operator;
