-- audit.ensure_partition: the function creates a separate table and then attaches it, because creating the partition in
-- place would have to wait for all readers of the audit table. Call it while you hold the lock on audit.chain.
-- Writes: a table audit.record_YYYY_MM.
create or replace function audit.ensure_partition(p_at timestamptz)
returns void
language plpgsql
volatile parallel unsafe security invoker
set search_path = pg_catalog, pg_temp
set timezone = 'UTC'
as $function$
declare
    v_month constant timestamptz := date_trunc('month', p_at);
    v_name constant text := to_char(v_month, '"record_"YYYY_MM');
begin
    if to_regclass('audit.' || v_name) is not null then
        return;
    end if;
    execute format('create table audit.%I (like audit.record including constraints)', v_name);
    execute format(
        'comment on table audit.%I is %L', v_name, 'Audit records of ' || to_char(v_month, 'YYYY-MM') || '.'
    );
    execute format('alter table audit.%I enable row level security, force row level security', v_name);
    execute format('create policy owner_reads on audit.%I for select to qm_owner using (true)', v_name);
    execute format(
        'alter table audit.record attach partition audit.%I for values from (%L) to (%L)',
        v_name,
        v_month,
        v_month + interval '1 month'
    );
end
$function$;
comment on function audit.ensure_partition(timestamptz) is
'Creates the partition of audit.record for a month, if this partition does not exist yet. Argument p_at: a time in the '
'month.';
