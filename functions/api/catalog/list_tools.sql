-- api.list_tools: tools of the catalog with what is decided of them; those that wait for somebody first.
-- Of a moment in the past what was offered then.
-- Executable by operators; row policies decide which tools they see.
-- Raises: QM422 argument_invalid.
create or replace function api.list_tools(
    of_origin text default null, with_status text default null, maximum integer default 100, as_of timestamptz default null
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
    if list_tools.as_of is not null and list_tools.with_status <> 'approved' then
        perform core.fail(
            'argument_invalid', format('of the past only what was offered is listed, not what was %s', list_tools.with_status), null,
            'Leave out the status, or the moment.'
        );
    end if;
    return query
    select
        t.callable_name,
        o.name,
        w.status,
        case when list_tools.as_of is null then t.status_reason else '' end,
        w.version,
        case when list_tools.as_of is null then t.approved_version else w.version end,
        f.severity,
        f.rules,
        t.downrank,
        t.dishonesty,
        w.brief,
        w.since
    from catalog.tool as t
    inner join catalog.origin as o on o.id = t.origin_id
    cross join lateral (
        select t.version, case when t.deprecated_at is null then t.status else 'gone' end as status, t.brief, t.status_at as since
        where list_tools.as_of is null
        union all
        select f.version, 'approved', catalog.brief(v.definition ->> 'description'), f.valid_from
        from catalog.offer as f
        inner join catalog.tool_version as v on v.tool_id = f.tool_id and v.version = f.version
        where f.tool_id = t.id and f.valid_from <= list_tools.as_of and (f.valid_to is null or f.valid_to > list_tools.as_of)
    ) as w
    left join lateral (
        select
            case when bool_or(n.severity = 'high') then 'high' when bool_or(n.severity = 'medium') then 'medium' else 'low' end as severity,
            array_agg(distinct n.rule order by n.rule) as rules
        from catalog.finding as n
        where n.tool_id = t.id and n.version = w.version
        having count(*) > 0
    ) as f on true
    where (list_tools.of_origin is null or o.name = list_tools.of_origin)
        and case when list_tools.with_status is null then w.status <> 'gone' else w.status = list_tools.with_status end
    order by w.status = 'approved', f.severity = 'high' desc nulls last, t.callable_name
    limit greatest(list_tools.maximum, 0);
end
$function$;
comment on function api.list_tools(text, text, integer, timestamptz) is
'Arguments: origin; status (approved, pending, quarantined, deprecated, gone); how many at most; as_of, a moment in the past: what was offered then, under the rights of today. Returns callable name, origin, status and why, newest and approved version, worst severity and rules of its findings, what is taken off its value by operators and by probes, what it does in a line, since when the status is so, or the version was offered.';
grant execute on function api.list_tools to qm_operator;
