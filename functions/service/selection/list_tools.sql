-- service.list_tools: clients with a search of their own get one list of the caller's tools. The list is at the
-- beginning of a model's context, so it must stay the same while the catalog does: use counts in powers of two, so that
-- a tool changes its place rarely, and what was chosen is sorted by name. Tools of built-in origins are listed when
-- somebody has called or pinned them: before that, they only take places among what a client finds, on a
-- dev desk for every second goal. Cards are read instead of items, because they are small, and items that only a user
-- interface calls have none. The mode balanced says what success, latency and risk are worth.
-- Definer: which tools are pinned, and hints, are no rows of users; the one test of visibility is applied here.
create or replace function service.list_tools(maximum integer default null)
returns table (name text, definition text, hint text, visible bigint)
language plpgsql
stable parallel safe security definer
rows 200
set search_path = pg_catalog, pg_temp
as $function$
declare
    v_maximum constant integer := coalesce(list_tools.maximum, core.get_setting('list.max_tools')::integer);
begin
    perform policy.require_service();
    return query
    with pinned as materialized (
        select
            (
                select bit_or(r.pins) from policy.subject_rights as r where r.subject like 'toolset:%'
            ) as classes,
            array(
                select i.id
                from catalog.repair as r
                inner join catalog.item as i
                    on i.origin_id = r.origin_id and i.kind = 'tool' and (r.tool is null or i.name = r.tool)
                where r.is_current and r.changes -> 'pinned' = 'true' and i.definition -> 'pinned' = 'true'
            ) as refs
    ),

    candidate as materialized (
        select
            c.ref,
            c.name,
            coalesce(u.hint, '') as hint,
            greatest(coalesce(get_bit(p.classes, c.rights_class), 0), (c.ref = any(p.refs))::integer) as pins,
            ceil(ln((1 + coalesce(u.calls, 0))::double precision) / ln(2::double precision)) as uses,
            m.weight_success * coalesce(u.success_gain, 0) - m.weight_latency * coalesce(u.latency_loss, 0)
            - m.weight_risk * c.risk - c.downrank as value
        from search.card as c
        cross join pinned as p
        cross join (select x.* from selection.mode as x where x.name = 'balanced') as m
        left join selection.utility as u on u.kind = c.kind and u.ref = c.ref
        where c.kind = 'tool'
            and policy.is_visible(c.rights_class, (select policy.visible_classes()))
            and (
                u.calls > 0
                or get_bit(p.classes, c.rights_class) = 1
                or c.ref = any(p.refs)
                or not exists (select from catalog.origin as o where o.name = c.origin and o.transport = 'built-in')
            )
    ),

    chosen as materialized (
        select c.ref, c.hint
        from candidate as c
        order by c.pins desc, c.uses desc, c.value desc, c.name
        limit v_maximum
    )

    select i.public_name, (i.definition - '{pinned,repair}'::text[])::text, c.hint, (select count(*) from candidate)
    from chosen as c
    inner join catalog.item as i on i.id = c.ref
    order by i.public_name;
end
$function$;
comment on function service.list_tools(integer) is
'Lists the tools of the caller for clients that search by themselves. Argument maximum: maximum number of tools (null: '
'the setting list.max_tools). If the caller may see more, those that a toolset or a repair pins come first, then '
'those that are called most, then those that work best. Tools of built-in origins are left out until they are called '
'or pinned. Returns one row for each tool, in alphabetical order: its callable name; its definition as JSON text; '
'words of people who used it, or an empty text; and the number of tools that are listed without a maximum. Can be '
'null: maximum.';
grant execute on function service.list_tools to qm_user;
