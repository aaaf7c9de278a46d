create or replace function audit.record_hash(p_record audit.record)
returns bytea
language sql
stable parallel safe security invoker
set search_path = pg_catalog, pg_temp
as $function$
    select sha256(p_record.previous_hash || convert_to(audit.canonical_text(p_record), 'UTF8'));
$function$;
comment on function audit.record_hash(audit.record) is
'Computes the hash of an audit record. Argument p_record: the record. Returns one SHA-256, computed over two parts: '
'first the hash of the previous record (previous_hash), then the text of this record (audit.canonical_text).';
grant execute on function audit.record_hash to qm_reader;
