-- audit.append: adds a record to the end of the chain, in the transaction of the change: both are kept or neither is.
-- The lock of audit.chain is held to the end of the transaction, so that the order of the ids is that of the commits, without a gap.
-- A transaction with an older view of the chain is refused by the server (40001) and can be tried again.
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
    v_last audit.record;
    v_new audit.record;
begin
    perform from audit.chain for update;
    update audit.chain set transaction = v_transaction where transaction <> v_transaction;
    select * into v_last from audit.record as r order by r.id desc limit 1;
    if v_last.id is null then
        select c.last_id, c.last_hash into v_last.id, v_last.hash from audit.cut as c order by c.last_id desc limit 1;
    end if;
    v_new.id := coalesce(v_last.id, 0) + 1;
    -- A clock that was set back does not bring the order of time and of ids apart.
    v_new.at := greatest(core.now(), v_last.at);
    v_new.transaction := v_transaction;
    v_new.login := session_user;
    select p.id, p.name into v_new.principal_id, v_new.principal from policy.principal as p where p.id = policy.principal_id();
    v_new.action := p_action;
    v_new.table_name := p_table;
    v_new.object := p_object;
    v_new.before := p_before;
    v_new.after := p_after;
    v_new.previous_hash := coalesce(v_last.hash, decode(repeat('00', 32), 'hex'));
    v_new.hash := audit.record_hash(v_new);
    perform audit.ensure_partition(v_new.at);
    insert into audit.record select v_new.*;
    return v_new.id;
end
$function$;
comment on function audit.append(text, text, text, jsonb, jsonb) is
'Arguments: action; table; name of the row; the row before and after. Returns the id of the record.';
