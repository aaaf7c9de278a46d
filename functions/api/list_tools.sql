-- api.list_tools: tools of the catalog with what is decided of them; those that wait for somebody first.
-- Executable by operators; row policies decide which tools they see.
create or replace function api.list_tools(
    of_origin text default null, with_status text default null, maximum integer default 100
)
returns table (
    name text, origin text, status text, reason text, version integer, approved_version integer, severity text, findings text[],
    downrank real, dishonesty real, brief text, since timestamptz
)
language plpgsql
stable parallel safe security invoker
rows 100
set search_path = pg_catalog, pg_temp
as $function$
#variable_conflict use_column
begin
    perform policy.require_principal();
    return query
    select
        t.callable_name,
        o.name,
        case when t.deprecated_at is null then t.status else 'gone' end,
        t.status_reason,
        t.version,
        t.approved_version,
        f.severity,
        f.rules,
        t.downrank,
        t.dishonesty,
        t.brief,
        t.status_at
    from catalog.tool as t
    inner join catalog.origin as o on o.id = t.origin_id
    left join lateral (
        select
            case when bool_or(n.severity = 'high') then 'high' when bool_or(n.severity = 'medium') then 'medium' else 'low' end as severity,
            array_agg(distinct n.rule order by n.rule) as rules
        from catalog.finding as n
        where n.tool_id = t.id and n.version = t.version
        having count(*) > 0
    ) as f on true
    where (list_tools.of_origin is null or o.name = list_tools.of_origin)
        and case list_tools.with_status
            when 'gone' then t.deprecated_at is not null
            else t.deprecated_at is null and (list_tools.with_status is null or t.status = list_tools.with_status)
        end
    order by t.status = 'approved', f.severity = 'high' desc nulls last, t.callable_name
    limit greatest(list_tools.maximum, 0);
end
$function$;
comment on function api.list_tools(text, text, integer) is
'Arguments: origin; status (approved, pending, quarantined, deprecated, gone); how many at most. Returns callable name, origin, status and why, newest and approved version, worst severity and rules of its findings, what is taken off its value by operators and by probes, what it does in a line, since when the status is so.';
