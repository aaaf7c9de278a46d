-- api.audit_hashes: `qm audit verify --against` compares these hashes with heads (newest records) that were noted
-- outside the database.
create or replace function api.audit_hashes(record_ids bigint[])
returns table (record_id bigint, hash text)
language sql
stable parallel safe security definer
set search_path = pg_catalog, pg_temp
as $function$
    select r.id, encode(r.hash, 'hex') from audit.record as r where r.id = any(audit_hashes.record_ids) order by r.id;
$function$;
comment on function api.audit_hashes(bigint[]) is
'Looks up the hashes of audit records. With these hashes, the caller can check copies that are kept outside the '
'database. Argument record_ids: ids of records. Returns, for each of these records that exists, its id and its hash '
'(in hexadecimal).';
alter function api.audit_hashes owner to qm_reader;
grant execute on function api.audit_hashes to qm_admin;
