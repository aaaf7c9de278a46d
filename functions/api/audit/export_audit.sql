-- api.export_audit: the hash of a record is the SHA-256 of the 32 bytes of previous_hash and the exact bytes of the
-- member "record", in this order. This member is the last one in its line.
create or replace function api.export_audit(after_id bigint default 0, limit_to integer default 1000)
returns table (id bigint, line text)
language sql
stable parallel safe security definer
set search_path = pg_catalog, pg_temp
as $function$
    select
        r.id,
        format(
            '{"hash": "%s", "previous_hash": "%s", "record": %s}',
            encode(r.hash, 'hex'),
            encode(r.previous_hash, 'hex'),
            audit.canonical_text(r)
        )
    from audit.record as r
    where r.id > export_audit.after_id
    order by r.id
    limit export_audit.limit_to;
$function$;
comment on function api.export_audit(bigint, integer) is
'Exports audit records, the oldest first. Arguments: after_id: return only records after this id; limit_to: maximum '
'number of records to return. Returns for each audit record its id and a line of JSON with three members: hash (hash '
'of the record), previous_hash (hash of the previous record) and record (the record itself).';
alter function api.export_audit owner to qm_reader;
grant execute on function api.export_audit to qm_admin;
