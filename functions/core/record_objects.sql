-- core.record_objects: core.changed_objects compares later states with this state. The installer runs the function
-- last. If the installer has applied only functions, only functions are recorded, so that changes to other objects are
-- still reported.
-- Writes: core.installed_object.
create or replace function core.record_objects(p_kind text default null)
returns void
language sql
volatile parallel unsafe security invoker
set search_path = pg_catalog, pg_temp
as $function$
    delete from core.installed_object as i
    where i.kind = coalesce(p_kind, i.kind);
    insert into core.installed_object (kind, name, state, remedy, place)
    select o.kind, o.name, o.state, o.remedy, o.place
    from core.list_objects() as o
    where o.kind = coalesce(p_kind, o.kind);
$function$;
comment on function core.record_objects(text) is
'Records the present state of all objects as the state that an installation leaves. The installer runs this '
'function. Argument p_kind: kind of object to record (null: all kinds).';
