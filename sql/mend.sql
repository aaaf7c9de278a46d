-- Restores objects that migrations created and people have changed since the last installation: row security, storage,
-- columns, constraints, indexes and sequences. sql/owners.sql has restored owners and foreign keys, for which the
-- rights of the login are needed. Later files create functions, policies, triggers and grants again. The file raises an
-- error if a table or a column is missing, because its data is lost. It also raises an error if our schemas contain
-- objects of others, because an installation would treat these as its own. The file runs as qm_owner, because qm_owner
-- owns the functions and the SQL in core.installed_object that it executes.
do $do$
declare
    v_changes jsonb;
    v_remedy text;
    v_lost text;
    v_foreign record;
begin
    if to_regprocedure('core.changed_objects()') is null or to_regprocedure('core.list_objects()') is null
        or to_regclass('core.installed_object') is null then
        return; -- nothing is recorded yet, or somebody has dropped the functions
    end if;
    -- All objects are compared once, because that takes long.
    select coalesce(jsonb_agg(c), '[]') into v_changes from core.changed_objects() as c;
    select
        c.kind,
        c.name,
        case
            when c.kind = any('{table,view,materialized view,sequence,type,function}') then
                format('Move it: alter %s %s set schema public.', c.kind, c.name)
            else 'Drop it.'
        end as remedy
    into v_foreign
    from jsonb_to_recordset(v_changes) as c (change text, kind text, name text)
    where c.change = 'added'
    limit 1;
    if found then
        raise exception 'the % % does not belong to Quartermaster', v_foreign.kind, v_foreign.name
        using errcode = 'QM409', constraint = 'object_foreign', hint = v_foreign.remedy || ' Nothing was changed.';
    end if;
    select string_agg(format('%s %s', c.kind, c.name), ', ' order by c.name) into v_lost
    from jsonb_to_recordset(v_changes) as c (change text, kind text, name text)
    where c.kind = 'column' or c.change = 'missing' and c.kind in ('table', 'type', 'sequence');
    if v_lost is not null then
        raise exception 'somebody has dropped or changed what holds data of Quartermaster: %', v_lost
        using
            errcode = 'QM500', constraint = 'objects_lost',
            hint = 'Restore a backup (docs/runbooks.md). Nothing was changed.';
    end if;
    foreach v_remedy in array array(
        select c.remedy
        from jsonb_to_recordset(v_changes) as c (name text, remedy text, place integer)
        where c.remedy is not null
        order by c.place, c.name
    ) loop
        execute v_remedy;
    end loop;
end
$do$;

do $do$
begin
    perform setval(s.sequence, s.highest) from pg_temp.lagging_sequences() as s;
end
$do$;
