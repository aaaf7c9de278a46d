-- calls.add_partition: the function creates a separate table and then attaches it, because creating the partition in
-- place would have to wait for all readers of the call log. If a lock is not free, the partition is created in the next
-- run; until then, the default partition stores the calls. Everything happens in one transaction, so a killed process
-- leaves nothing half done.
-- Writes: a table calls.call_YYYY_MM_DD, calls.call.
create or replace function calls.add_partition(p_day date)
returns boolean
language plpgsql
volatile parallel unsafe security invoker
set search_path = pg_catalog, pg_temp
set timezone = 'UTC'
set lock_timeout = '2s'
as $function$
declare
    v_name constant text := to_char(p_day, '"call_"YYYY_MM_DD');
    v_from constant timestamptz := p_day;
    v_to constant timestamptz := p_day + 1;
begin
    if to_regclass('calls.' || v_name) is not null then
        return false;
    end if;
    lock table calls.call in share update exclusive mode;
    if to_regclass('calls.' || v_name) is not null then
        return false;
    end if;
    lock table calls.call_default in access exclusive mode;
    execute format('create table calls.%I (like calls.call including defaults including constraints)', v_name);
    execute format('comment on table calls.%I is %L', v_name, 'Calls of ' || to_char(p_day, 'YYYY-MM-DD') || ' (UTC).');
    execute format(
        'with moved as (delete from calls.call as c where c.started_at >= $1 and c.started_at < $2 returning c.*) '
        'insert into calls.%I select m.* from moved as m',
        v_name
    ) using v_from, v_to;
    execute format('alter table calls.%I enable row level security, force row level security', v_name);
    execute format('create policy owner_reads on calls.%I for select to qm_owner using (true)', v_name);
    execute format(
        'alter table calls.call attach partition calls.%I for values from (%L) to (%L)', v_name, v_from, v_to
    );
    return true;
exception
    when lock_not_available or deadlock_detected then
        return false;
end
$function$;
comment on function calls.add_partition(date) is
'Creates the partition of the call log for a day, and moves calls of that day into the new partition. Argument p_day: '
'the day (UTC). Returns true if the function created the partition. Returns false if the partition exists already, or '
'if locks of other transactions prevented its creation.';
