-- api.review_assets: resources, templates, prompts and instructions with what is decided of them; those that wait for somebody first.
-- Executable by operators; row policies decide which they see.
create or replace function api.review_assets(
    of_origin text default null, with_status text default null, of_kind text default null, maximum integer default 100
)
returns table (
    name text, kind text, origin text, status text, reason text, version integer, approved_version integer, severity text, findings text[],
    brief text, since timestamptz
)
language sql
stable parallel safe security invoker
rows 100
set search_path = pg_catalog, pg_temp
as $function$
    select
        a.public_name,
        a.kind,
        o.name,
        w.status,
        a.status_reason,
        a.version,
        a.approved_version,
        f.severity,
        f.rules,
        catalog.brief(coalesce(a.definition ->> 'description', a.definition ->> 'title', a.definition ->> 'instructions', a.definition ->> 'name')),
        a.status_at
    from catalog.asset as a
    inner join catalog.origin as o on o.id = a.origin_id
    cross join lateral (select case when a.deprecated_at is null then a.status else 'gone' end as status) as w
    left join lateral (
        select
            case when bool_or(n.severity = 'high') then 'high' when bool_or(n.severity = 'medium') then 'medium' else 'low' end as severity,
            array_agg(distinct n.rule order by n.rule) as rules
        from catalog.asset_finding as n
        where n.asset_id = a.id and n.version = a.version
        having count(*) > 0
    ) as f on true
    where (review_assets.of_origin is null or o.name = review_assets.of_origin)
        and (review_assets.of_kind is null or a.kind = review_assets.of_kind)
        and case when review_assets.with_status is null then w.status <> 'gone' else w.status = review_assets.with_status end
    order by w.status = 'approved', f.severity = 'high' desc nulls last, a.kind, a.public_name
    limit greatest(review_assets.maximum, 0);
$function$;
comment on function api.review_assets(text, text, text, integer) is
'Arguments: origin; status (approved, pending, quarantined, deprecated, gone); kind (resource, resource_template, prompt, instructions); how many at most. Returns public name, kind, origin, status and why, newest and approved version, worst severity and rules of its findings, what it is in a line, since when the status is so.';
grant execute on function api.review_assets to qm_operator;
