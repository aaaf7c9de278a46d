-- lookup.unfollow_source: only the owner of a table can drop its triggers. If the user's table does not belong to the
-- owner of this function, the triggers stay; they do nothing after the lookup table has been dropped.
create or replace function lookup.unfollow_source(p_table_id integer)
returns void
language plpgsql
volatile parallel unsafe security invoker
set search_path = pg_catalog, pg_temp
as $function$
declare
    v_trigger text;
    v_relation regclass;
begin
    for v_trigger, v_relation in
        select t.tgname, t.tgrelid
        from pg_trigger as t
        inner join pg_class as c on c.oid = t.tgrelid
        where t.tgname ~ format('^qm_lookup_%s_(insert|update|delete|truncate)$', p_table_id)
            and t.tgfoid = 'lookup.note_source_change()'::regprocedure
            and t.tgparentid = 0
            and pg_has_role(c.relowner, 'usage')
    loop
        execute format('drop trigger %I on %s', v_trigger, v_relation);
    end loop;
end
$function$;
comment on function lookup.unfollow_source(integer) is
'Drops the triggers that lookup.follow_source created on the user''s own table. Argument p_table_id: id of the lookup '
'table.';
