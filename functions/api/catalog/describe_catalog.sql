-- api.describe_catalog: clients put the answer at the beginning of a model's context. The answer may change only when
-- the catalog changes, because every change at the beginning makes a cached prompt useless. Therefore the order does
-- not depend on the number of uses. An origin without a description gets the description of its server. Texts that are
-- withheld now are left out. Texts that would put a tool into quarantine are left out, too, because descriptions of
-- origins may come from anybody's file.
-- Definer: users may not read catalog.scan_rule, withheld texts, and descriptions of servers that the access rules
-- hide. They still get no withheld text. They get every other description, because everybody who may see an item of an
-- origin may read the description of its server.
create or replace function api.describe_catalog(maximum integer default 100)
returns table (origin text, description text, tools bigint, origins bigint)
language plpgsql
stable parallel safe security definer
rows 100
set search_path = pg_catalog, pg_temp
as $function$
begin
    perform policy.require_principal();
    return query
    with offering as materialized (
        select i.origin_id, count(*) filter (where k.is_default) as tools
        from catalog.item as i
        inner join search.kind as k on k.name = i.kind and not k.describes_origin
        where i.is_live and policy.is_visible(i.rights_class, (select policy.visible_classes()))
        group by i.origin_id
    ),

    ranked as materialized (
        select row_number() over (order by f.tools desc, o.name) as place, o.id, f.tools, count(*) over () as origins
        from offering as f
        inner join catalog.origin as o on o.id = f.origin_id and o.status <> 'removed'
        order by place
        limit describe_catalog.maximum
    ),

    listed as materialized (
        select
            r.place,
            o.name,
            left(
                case
                    when s.is_live then coalesce(nullif(o.description, ''), catalog.server_text(s.definition))
                    when s.status <> 'approved' and s.definition ->> 'description' = o.description then ''
                    else o.description
                end,
                2000
            ) as text,
            r.tools,
            r.origins
        from ranked as r
        inner join catalog.origin as o on o.id = r.id
        left join lateral (
            select i.is_live, i.status, i.definition
            from catalog.item as i
            inner join search.kind as k on k.name = i.kind and k.describes_origin
            where i.origin_id = o.id
        ) as s on true
    ),

    suspicious as materialized (
        select m.place
        from (
            select array_agg('description'::text) as members, array_agg(l.text order by l.place) as texts
            from listed as l
        ) as g
        cross join lateral catalog.match_rules(g.members, g.texts) as m
        group by m.place
        having catalog.suspicion(array_agg(m.rule), array_agg(m.severity)) is not null
    )

    select l.name, case when s.place is null then l.text else '' end, l.tools, l.origins
    from listed as l
    left join suspicious as s on s.place = l.place
    order by l.place;
end
$function$;
comment on function api.describe_catalog(integer) is
'Lists the servers that have items for the caller, with the purpose of each server. Argument maximum: maximum number '
'of origins (null: no limit). Returns one row for each origin of which the caller may see at least one item, those '
'with the most tools first: the name of the origin; a text about it of at most 2000 characters; the number of its '
'tools that the caller may see; and the number of all such origins. The text is the description of the origin, or else '
'the approved text of the server about itself, as the author wrote it. The text is empty if neither exists, or if a '
'tool with this description would be put into quarantine. Can be null: maximum.';
grant execute on function api.describe_catalog to qm_user;
