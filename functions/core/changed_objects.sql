-- core.changed_objects: an added index is not listed, because it changes no answer. If a whole table was added, only
-- the table is listed, without its parts.
-- Reads: core.installed_object.
create or replace function core.changed_objects()
returns table (change text, kind text, name text, remedy text, place integer)
language sql
stable parallel safe security invoker
set search_path = pg_catalog, pg_temp
as $function$
    select
        c.change,
        coalesce(i.kind, o.kind),
        coalesce(i.name, o.name),
        case when c.change = 'changed' or i.kind in ('constraint', 'index') then i.remedy end,
        coalesce(i.place, o.place)
    from core.installed_object as i
    full join core.list_objects() as o on i.kind = o.kind and i.name = o.name
    cross join lateral (
        select
            case
                when o.name is null then 'missing'
                -- The next installation takes these away.
                when i.name is null and o.kind <> all('{policy,rights on}') then 'added'
                else 'changed'
            end
    ) as c (change)
    where
        i.state is distinct from o.state
        and exists (select from core.installed_object)
        and (
            i.name is not null
            or o.kind = any('{table,view,materialized view,sequence,type,function,membership}')
            or o.kind = any('{column,constraint,trigger,policy,rights on}')
            and exists (
                select from core.installed_object as t
                where t.kind = 'table' and (starts_with(o.name, t.name || '.') or o.name like '% on ' || t.name)
            )
        )
    order by 5, 2, 3;
$function$;
comment on function core.changed_objects() is
'Lists the database objects that were changed, removed or added since the last installation. Returns for each object: '
'the change (missing, changed or added), the kind and the name of the object; the SQL with which qm_owner restores its '
'state (null: the next installation restores it, or nothing does); and the order in which this SQL is to be run.';
