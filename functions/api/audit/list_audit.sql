create or replace function api.list_audit(
    limit_to integer default 50,
    of_table text default null,
    of_object text default null,
    by_principal text default null,
    before_id bigint default null
)
returns table (
    id bigint,
    at timestamptz,
    principal text,
    login text,
    action text,
    table_name text,
    object text,
    before jsonb,
    after jsonb
)
language plpgsql
stable parallel safe security definer
set search_path = pg_catalog, pg_temp
as $function$
declare
    v_tables constant text[] := audit.tables();
begin
    if list_audit.of_table <> all(v_tables) then
        perform core.fail(
            'argument_invalid',
            format('changes to a table called %L are not recorded', left(list_audit.of_table, 200)),
            null,
            format('Use one of: %s.', array_to_string(v_tables, ', '))
        );
    end if;
    return query
    select r.id, r.at, r.principal, r.login, r.action, r.table_name, r.object, r.before, r.after
    from audit.record as r
    where
        (list_audit.of_table is null or r.table_name = list_audit.of_table)
        and (list_audit.of_object is null or r.object = list_audit.of_object)
        and (list_audit.by_principal is null or r.principal = list_audit.by_principal)
        and (list_audit.before_id is null or r.id < list_audit.before_id)
    order by r.id desc
    limit list_audit.limit_to;
end
$function$;
comment on function api.list_audit(integer, text, text, text, bigint) is
'Lists audit records, the newest first. Arguments: limit_to: maximum number of records; of_table: return only records '
'about changes to the table of this name (null: all tables); of_object: return only records about the row of this name '
'(null: all rows); by_principal: return only records about changes by the principal of this name (null: all '
'principals); before_id: return only records whose id is lower than this id (null: all records). Returns for each '
'record: who changed which row, the kind of change, and the row before and after the change. Raises QM422 '
'argument_invalid. Can be null: principal, object.';
alter function api.list_audit owner to qm_reader;
grant execute on function api.list_audit to qm_admin;
