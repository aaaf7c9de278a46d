create or replace function audit.refuse_change()
returns trigger
language plpgsql
volatile parallel unsafe security invoker
set search_path = pg_catalog, pg_temp
as $function$
begin
    perform core.fail(
        'audit_append_only',
        format(
            '%s of the audit table %s.%s was refused', lower(tg_op collate core.c_utf8), tg_table_schema, tg_table_name
        )
    );
    return null;
end
$function$;
comment on function audit.refuse_change() is
'Trigger that refuses changes to audit records, even by roles that bypass row policies. Raises QM409 '
'audit_append_only.';
