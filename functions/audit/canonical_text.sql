-- audit.canonical_text: the text of a record must be the same in every session. So times are in UTC, and members are in
-- the order that jsonb uses.
create or replace function audit.canonical_text(p_record audit.record)
returns text
language sql
stable parallel safe security invoker
set search_path = pg_catalog, pg_temp
as $function$
    select
        jsonb_build_object(
            'id', p_record.id,
            'at', to_char(p_record.at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'),
            'transaction', p_record.transaction::text,
            'login', p_record.login,
            'principal_id', p_record.principal_id,
            'principal', p_record.principal,
            'action', p_record.action,
            'table', p_record.table_name,
            'object', p_record.object,
            'before', p_record.before,
            'after', p_record.after
        )::text;
$function$;
comment on function audit.canonical_text(audit.record) is
'Converts an audit record to a text. The hash of the record is computed from this text and from previous_hash. '
'Argument p_record: the record. Returns the record as JSON text, without the members hash and previous_hash.';
grant execute on function audit.canonical_text to qm_reader;
