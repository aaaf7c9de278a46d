-- calls.forget_calls: each run deletes at most 50,000 rows and does not wait for locks; the next run continues. Pending
-- calls are kept.
-- Writes: calls.call, calls.probe; drops tables calls.call_YYYY_MM_DD.
create or replace function calls.forget_calls(p_before timestamptz)
returns bigint
language plpgsql
volatile parallel unsafe security invoker
set search_path = pg_catalog, pg_temp
set timezone = 'UTC'
set lock_timeout = '2s'
as $function$
declare
    v_oldest_kept constant text := to_char(p_before, '"call_"YYYY_MM_DD');
    v_partition text;
    v_calls bigint;
    v_count bigint := 0;
    v_ids bigint[];
begin
    for v_partition in
        select c.relname
        from pg_inherits as i
        inner join pg_class as c on c.oid = i.inhrelid
        where i.inhparent = 'calls.call'::regclass and c.relname ~ '^call_[0-9]{4}_' and c.relname < v_oldest_kept
        order by c.relname
    loop
        begin
            execute format('lock table calls.call, calls.%I in access exclusive mode', v_partition);
            select count(*)
            into v_calls
            from calls.call as c
            where c.tableoid = format('calls.%I', v_partition)::regclass;
            perform from calls.call as c
            where c.tableoid = format('calls.%I', v_partition)::regclass and c.outcome = 'pending'
            limit 1;
            if not found then
                delete from calls.probe as p
                using calls.call as c
                where c.tableoid = format('calls.%I', v_partition)::regclass and p.call_id = c.id;
                execute format('drop table calls.%I', v_partition);
                v_count := v_count + v_calls;
            end if;
        exception
            when lock_not_available or deadlock_detected then
                exit;
        end;
    end loop;
    v_ids := array(
        select c.id from calls.call as c where c.started_at < p_before and c.outcome <> 'pending' limit 50000
    );
    delete from calls.probe as p where p.call_id = any(v_ids);
    delete from calls.call as c where c.id = any(v_ids) and c.started_at < p_before;
    return v_count + cardinality(v_ids);
end
$function$;
comment on function calls.forget_calls(timestamptz) is
'Deletes calls that began before a given time. The function drops the partitions of whole days, and deletes the other '
'calls row by row. Argument p_before: the given time. Returns how many calls were deleted.';
