-- core.lagging_sequences: a table is skipped if no index begins with the column that the sequence fills, because
-- finding the highest number would then read the whole table.
create or replace function core.lagging_sequences()
returns table (sequence regclass, highest bigint)
language plpgsql
stable parallel safe security invoker
set search_path = pg_catalog, pg_temp
as $function$
declare
    v_table regclass;
    v_column name;
begin
    for sequence, v_table, v_column in
        select s.oid, d.refobjid, a.attname
        from pg_class as s
        inner join pg_namespace as n on s.relnamespace = n.oid
        inner join pg_depend as d on d.classid = 'pg_class'::regclass and s.oid = d.objid and d.deptype in ('a', 'i')
        inner join pg_attribute as a on d.refobjid = a.attrelid and d.refobjsubid = a.attnum
        where
            s.relkind = 'S'
            and n.nspowner = 'qm_owner'::regrole
            and exists (select from pg_index as i where i.indrelid = d.refobjid and i.indkey[0] = d.refobjsubid)
        order by 1
    loop
        execute format('select max(%I) from %s', v_column, v_table) into highest;
        if highest > coalesce(pg_sequence_last_value(sequence), 0) then
            return next;
        end if;
    end loop;
end
$function$;
comment on function core.lagging_sequences() is
'Lists the sequences whose next numbers are already used in their tables, each with the highest number in the table.';
