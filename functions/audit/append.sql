-- audit.append: the lock on audit.chain is held until the transaction ends, so that the ids follow the commit order
-- without gaps. In a repeatable read transaction, a newer record of another transaction leads to SQLSTATE 40001; the
-- caller can then try again.
-- Writes: audit.record, audit.chain.
create or replace function audit.append(
    p_action text, p_table text, p_object text default null, p_before jsonb default null, p_after jsonb default null
)
returns bigint
language plpgsql
volatile parallel unsafe security invoker
set search_path = pg_catalog, pg_temp
as $function$
declare
    v_transaction constant xid8 := pg_current_xact_id();
    v_last record;
    v_id bigint;
    v_at timestamptz;
begin
    perform from audit.chain for update;
    update audit.chain set transaction = v_transaction where transaction <> v_transaction;
    select r.id, r.at, r.hash into v_last from audit.record as r order by r.id desc limit 1;
    if not found then
        select c.last_id as id, c.cut_at as at, c.last_hash as hash
        into v_last
        from audit.cut as c
        order by c.last_id desc
        limit 1;
    end if;
    v_id := coalesce(v_last.id, 0) + 1;
    -- The times of records follow the order of their ids, even if somebody sets the clock back.
    v_at := greatest(core.now(), v_last.at);
    perform audit.ensure_partition(v_at);
    with added as (
        select
            v_id as id,
            v_at as at,
            v_transaction as transaction,
            session_user::text as login,
            p.id as principal_id,
            p.name as principal,
            p_action as action,
            p_table as table_name,
            p_object as object,
            p_before as before,
            p_after as after,
            coalesce(v_last.hash, decode(repeat('00', 32), 'hex')) as previous_hash
        from (select policy.principal_id() as id) as asking
        left join policy.principal as p on p.id = asking.id
    )

    insert into audit.record
    select a.*, audit.record_hash(row(a.*, null)::audit.record)
    from added as a;
    return v_id;
end
$function$;
comment on function audit.append(text, text, text, jsonb, jsonb) is
'Adds a record to the audit chain. The record describes a change of a row, and is written in the transaction of this '
'change, so that no change is stored without a record. Arguments: p_action: the kind of change; p_table: name of the '
'changed table; p_object: name of the changed row; p_before: the row before the change; p_after: the row after the '
'change. Returns the id of the new record.';
