-- Definer: only the owner of the partitions may drop them.
-- Writes: core.setting, audit.cut, audit.record; drops partitions.
create or replace function api.keep_audit(months integer, dry_run boolean default false)
returns table (partition text, records bigint, first_id bigint, last_id bigint)
language plpgsql
volatile parallel unsafe security definer
set search_path = pg_catalog, pg_temp
as $function$
begin
    perform policy.require_principal();
    if keep_audit.months is null or keep_audit.months < 0 then
        perform core.fail(
            'argument_invalid',
            format('months must be 0 or more, got %s', keep_audit.months),
            null,
            'Give a number of months, or 0 to keep all records.'
        );
    end if;
    if not keep_audit.dry_run then
        update core.setting as s set value = to_jsonb(keep_audit.months) where s.name = 'audit.keep_months';
    end if;
    if keep_audit.months > 0 then
        return query select c.* from audit.cut_partitions(keep_audit.months, keep_audit.dry_run) as c;
    end if;
end
$function$;
comment on function api.keep_audit(integer, boolean) is
'Sets how long audit records are kept, and drops older records immediately. Arguments: months: number of whole months '
'to keep in addition to the current month (0: keep all records); dry_run: true to preview the change without making '
'it. Returns the partitions of the audit table that were dropped, or that would be dropped. Raises QM422 '
'argument_invalid.';
grant execute on function api.keep_audit to qm_admin;
