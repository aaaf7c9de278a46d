-- api.list_tools: lists tools with the decisions on them; those that wait for one come first.
-- Raises: see api.review_items.
create or replace function api.list_tools(
    of_origin text default null, with_status text default null, maximum integer default 100, as_of timestamptz default null
)
returns table (
    name text, origin text, status text, reason text, version integer, approved_version integer, severity text, findings text[],
    downrank real, dishonesty real, brief text, since timestamptz
)
language sql
stable parallel safe security invoker
rows 100
set search_path = pg_catalog, pg_temp
as $function$
    select
        r.name, r.origin, r.status, r.reason, r.version, r.approved_version, r.severity, r.findings, r.downrank, r.dishonesty, r.brief, r.since
    from api.review_items('{tool}', list_tools.of_origin, list_tools.with_status, list_tools.maximum, list_tools.as_of) as r;
$function$;
comment on function api.list_tools(text, text, integer, timestamptz) is
'Arguments and columns of review_items, for tools only.';
grant execute on function api.list_tools to qm_operator;
