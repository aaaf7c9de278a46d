-- api.last_receipt: this function is for searches that return no card. Their answer has no row, and so cannot contain
-- the receipt.
create or replace function api.last_receipt(goal text default null)
returns bigint
language sql
stable parallel safe security definer
set search_path = pg_catalog, pg_temp
as $function$
    select r.id
    from selection.receipt as r
    where r.principal_id = (select policy.principal_id())
        and r.goal_hash is null -- the service writes receipts for lookups later, in batches
        and (
            last_receipt.goal is null
            or r.goal = regexp_replace(last_receipt.goal, '^\s+|\s+$' collate core.c_utf8, '', 'g')
        )
    order by r.created_at desc, r.id desc
    limit 1;
$function$;
comment on function api.last_receipt(text) is
'Finds the receipt (record) of the caller''s last search. Argument goal: a goal, to find the last search for this '
'goal (null: the last search for any goal). Returns the id of the receipt (null: there is no such search). Can be '
'null: result.';
alter function api.last_receipt owner to qm_reader;
grant execute on function api.last_receipt to qm_user;
