-- Writes: audit.cut, audit.record; drops partitions.
create or replace function audit.retain()
returns jsonb
language plpgsql
volatile parallel unsafe security invoker
set search_path = pg_catalog, pg_temp
as $function$
declare
    v_months constant integer := core.get_setting('audit.keep_months')::integer;
    v_partitions bigint := 0;
    v_records bigint := 0;
begin
    if v_months > 0 then
        select count(*), coalesce(sum(c.records), 0)
        into v_partitions, v_records
        from audit.cut_partitions(v_months) as c;
    end if;
    return jsonb_build_object('partitions', v_partitions, 'records', v_records);
end
$function$;
comment on function audit.retain() is
'Drops the partitions of audit records that are older than the setting audit.keep_months allows. Returns JSON with two '
'numbers: partitions (dropped partitions) and records (dropped records).';
