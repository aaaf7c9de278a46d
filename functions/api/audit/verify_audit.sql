-- api.verify_audit: the signatures are not checked here, because only the service has the key; `qm audit verify` checks
-- them.
create or replace function api.verify_audit()
returns jsonb
language sql
stable parallel safe security definer
set search_path = pg_catalog, pg_temp
as $function$
    select policy.require_principal();
    select jsonb_build_object(
        'records', (select count(*) from audit.record as r),
        'first_id', (select min(r.id) from audit.record as r),
        'last_id', (select max(r.id) from audit.record as r),
        'last_hash', (select encode(r.hash, 'hex') from audit.record as r order by r.id desc limit 1),
        'faults', coalesce(
            (
                select jsonb_agg(
                    jsonb_build_object('fault', f.fault, 'record', f.record_id, 'why', f.explanation)
                    order by f.record_id, f.fault collate core.c_utf8
                )
                from audit.find_faults() as f
            ),
            '[]'
        ),
        'signatures', coalesce(
            (
                select
                    jsonb_agg(
                        jsonb_build_object(
                            'record', s.record_id,
                            'hash', encode(s.hash, 'hex'),
                            'public_key', encode(s.public_key, 'hex'),
                            'signature', encode(s.signature, 'hex'),
                            'signed_at', s.signed_at
                        ) order by s.record_id
                    )
                from audit.signature as s
            ),
            '[]'
        )
    );
$function$;
comment on function api.verify_audit() is
'Checks the whole audit chain for records that somebody has changed or removed. Example: `select '
'jsonb_pretty(verify_audit());` Returns JSON with these members: records: the number of records; first_id and last_id: '
'the ids of the first and the last record; last_hash: the hash of the last record; faults: an array of {fault, record, '
'why}, which is empty if the chain is intact; signatures: an array of {record, hash, public_key, signature (in '
'hexadecimal), signed_at}. Raises QM403 principal_unknown, because a caller without a principal sees no records, and '
'an empty chain would look intact.';
alter function api.verify_audit owner to qm_reader;
grant execute on function api.verify_audit to qm_admin;
