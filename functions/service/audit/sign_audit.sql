-- service.sign_audit: the chain also records the first use of each signing key.
-- Writes: audit.signature, audit.record.
create or replace function service.sign_audit(record_id bigint, hash bytea, public_key bytea, signature bytea)
returns void
language plpgsql
volatile parallel unsafe security definer
set search_path = pg_catalog, pg_temp
as $function$
begin
    perform policy.require_principal();
    perform from audit.record as r where r.id = sign_audit.record_id and r.hash = sign_audit.hash;
    if not found then
        perform core.fail(
            'audit_head_unknown', format('record %s does not have the hash that was signed', sign_audit.record_id)
        );
    end if;
    perform from audit.signature as s where s.public_key = sign_audit.public_key;
    if not found then
        perform audit.append(
            'sign',
            'audit.signature',
            sign_audit.record_id::text,
            null,
            jsonb_build_object('public_key', encode(sign_audit.public_key, 'hex'))
        );
    end if;
    insert into audit.signature (record_id, hash, public_key, signature, signed_at)
    values (sign_audit.record_id, sign_audit.hash, sign_audit.public_key, sign_audit.signature, core.now())
    on conflict do nothing;
end
$function$;
comment on function service.sign_audit(bigint, bytea, bytea, bytea) is
'Stores a signature of the newest record of the audit chain. Arguments: record_id: id of the newest record; hash: hash '
'of the newest record; public_key: Ed25519 public key; signature: signature of the text `quartermaster audit head ID '
'HASH`, with the hash in hexadecimal. Raises QM409 audit_head_unknown.';
grant execute on function service.sign_audit to qm_operator;
