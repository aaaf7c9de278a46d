-- Definer: the rules may hide rows of catalog.item from operators. From these rows, they get only the number for each
-- toolset and kind.
create or replace function api.list_toolsets()
returns table (name text, description text, pinned jsonb, items jsonb)
language sql
stable parallel safe security definer
set search_path = pg_catalog, pg_temp
as $function$
    select
        t.name,
        t.description,
        m.object,
        (
            select core.tally(array_agg(x.kind))
            from catalog.item as x
            inner join policy.rights_class as c on c.id = x.rights_class
            where t.matcher_id = any(c.matchers) and x.deprecated_at is null
        )
    from policy.toolset as t
    inner join policy.matcher as m on m.id = t.matcher_id
    where policy.require_principal() is not null
    order by t.name;
$function$;
comment on function api.list_toolsets() is
'Lists the toolsets. Returns for each toolset: the name; the description; the conditions that choose the items, as '
'their author wrote them; and the number of matching items of each kind, as a JSON object {kind: number}. A toolset '
'gives no access to further items: a principal sees only the items of a toolset that the rules allow.';
grant execute on function api.list_toolsets to qm_operator;
