-- core.changed_objects: of what somebody has added, only what matters is named: not an index, because it changes no
-- answer, and not the parts of an added table.
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
'Lists the objects that are not as the last installation left them. Returns for each object: the change (missing, '
'changed or added), its kind and name, the SQL with which qm_owner brings its state back (null if the files of an '
'installation do that, or if nothing does), and the order in which this SQL is to be run.';
