-- lookup.follow_source: puts the triggers on a table of the user's own that tell of its changes, or takes them away.
-- Whoever may only create them leaves them behind, where they do nothing once the lookup table is gone.
create or replace function lookup.follow_source(p_table_id integer, p_relation text, p_follows boolean)
returns void
language plpgsql
volatile parallel unsafe security invoker
set search_path = pg_catalog, pg_temp
as $function$
declare
    v_name text;
    v_event text;
    v_seen text;
begin
    for v_name, v_event, v_seen in
        select format('qm_lookup_%s_%s', p_table_id, e.event), e.event, e.seen
        from (
            values
            ('insert', 'referencing new table as after_rows'),
            ('update', 'referencing old table as before_rows new table as after_rows'),
            ('delete', 'referencing old table as before_rows'),
            ('truncate', '')
        ) as e (event, seen)
    loop
        if p_follows then
            execute format(
                'create or replace trigger %I after %s on %s %s for each statement execute function lookup.note_source_change(%L)',
                v_name, v_event, p_relation, v_seen, p_table_id
            );
        elsif exists (
            select
            from pg_trigger as t
            inner join pg_class as c on c.oid = t.tgrelid
            inner join pg_namespace as n on n.oid = c.relnamespace
            where t.tgname = v_name and format('%I.%I', n.nspname, c.relname) = p_relation and pg_has_role(c.relowner, 'usage')
        ) then
            execute format('drop trigger %I on %s', v_name, p_relation);
        end if;
    end loop;
end
$function$;
comment on function lookup.follow_source(integer, text, boolean) is 'Arguments: table; the user''s own, as lookup.require_source returns it; whether to follow it.';
