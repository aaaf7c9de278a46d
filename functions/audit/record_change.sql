-- audit.record_change: sql/triggers/audit.sql lists the tables that have this trigger. The trigger is deferred, so that
-- a transaction takes the lock on the chain only during the commit. It then waits for no other lock, so it cannot cause
-- a deadlock.
-- Writes: audit.record.
create or replace function audit.record_change()
returns trigger
language plpgsql
volatile parallel unsafe security definer
set search_path = pg_catalog, pg_temp
set timezone = 'UTC'
as $function$
declare
    v_before jsonb;
    v_after jsonb;
    v_object text;
    v_hidden constant text[] := string_to_array(tg_argv[1], ',');
    v_only constant text[] := string_to_array(tg_argv[2], ',');
begin
    if tg_op in ('UPDATE', 'DELETE') then
        v_before := to_jsonb(old);
    end if;
    if tg_op in ('INSERT', 'UPDATE') then
        v_after := to_jsonb(new);
    end if;
    v_object := coalesce(v_after, v_before) ->> tg_argv[0];
    if tg_op = 'UPDATE' then
        select jsonb_object_agg(b.key, b.value), jsonb_object_agg(b.key, a.value)
        into v_before, v_after
        from jsonb_each(v_before) as b
        inner join jsonb_each(v_after) as a on a.key = b.key
        where a.value <> b.value and (v_only is null or a.key = any(v_only));
        if v_before is null then
            return null;
        end if;
    end if;
    v_after := v_after || coalesce(audit.details(tg_table_name collate core.c_utf8, v_after), '{}');
    perform audit.append(
        lower(tg_op collate core.c_utf8),
        format('%s.%s', tg_table_schema, tg_table_name) collate core.c_utf8,
        v_object,
        audit.without_secrets(v_before, v_hidden),
        audit.without_secrets(v_after, v_hidden)
    );
    return null;
end
$function$;
comment on function audit.record_change() is
'Trigger that records a changed row at the end of the transaction. The trigger has three arguments: the column that '
'contains the row''s name; the columns whose values are hidden, separated by commas; and the columns whose updates are '
'recorded, separated by commas (without this argument: all columns).';
