-- api.list_toolsets: lists toolsets, their pins, and the number of live tools that match; executable by operators.
-- Definer because it counts matches over the whole catalog.
create or replace function api.list_toolsets()
returns table (name text, description text, pinned jsonb, tools bigint)
language sql
stable parallel safe security definer
set search_path = pg_catalog, pg_temp
as $function$
    select
        t.name,
        t.description,
        m.object,
        (
            select count(*)
            from catalog.item as x
            inner join policy.rights_class as c on c.id = x.rights_class
            where t.matcher_id = any(c.matchers) and x.kind = 'tool' and x.deprecated_at is null
        )
    from policy.toolset as t
    inner join policy.matcher as m on m.id = t.matcher_id
    where policy.require_principal() is not null
    order by t.name;
$function$;
comment on function api.list_toolsets() is
'Returns name, description, pins as they were written, and number of matching live tools. A principal sees only '
'those of them that it may see anyway.';
grant execute on function api.list_toolsets to qm_operator;
