-- service.audit_head: before the service signs a new head (newest record), it passes the last head that it signed to
-- this function. If that record is missing or different, somebody has changed the chain, and a new signature would hide
-- the change. The record may be missing only if it was dropped because of its age, and a later record of the chain says
-- so.
create or replace function service.audit_head(last_id bigint default null, last_hash bytea default null)
returns table (record_id bigint, hash bytea, is_signed boolean, last_holds boolean)
language sql
stable parallel safe security definer
rows 1
set search_path = pg_catalog, pg_temp
as $function$
    select policy.require_principal();
    select
        h.id,
        h.hash,
        exists (select from audit.signature as s where s.record_id = h.id and s.hash = h.hash),
        audit_head.last_id is null
        or exists (select from audit.record as r where r.id = audit_head.last_id and r.hash = audit_head.last_hash)
        or exists (
            select
            from audit.cut as c
            inner join audit.record as r on r.action = 'cut' and r.object = c.partition
            where
                c.last_id >= audit_head.last_id
                and r.after @> jsonb_build_object('last_id', c.last_id, 'last_hash', encode(c.last_hash, 'hex'))
        )
    from (values (true)) as one (row)
    left join lateral (select r.id, r.hash from audit.record as r order by r.id desc limit 1) as h on true;
$function$;
comment on function service.audit_head(bigint, bytea) is
'Finds the newest record of the audit chain, and checks whether the chain still contains a given older record. (The '
'audit chain records changes. Each record contains the hash of the previous record.) Arguments: last_id and last_hash: '
'id and hash of the record that the caller signed last (null: no record was signed yet). Returns the id and hash of '
'the newest record (null while the chain is empty). Also returns whether a signature of this record is stored, and '
'whether the chain still contains the given record (true if no record is given). Can be null: record_id, hash.';
grant execute on function service.audit_head to qm_operator;
