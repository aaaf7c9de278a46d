-- api.last_receipt: returns the newest receipt. A selection that offered nothing has no row that could contain it.
create or replace function api.last_receipt(goal text default null)
returns bigint
language sql
stable parallel safe security invoker
set search_path = pg_catalog, pg_temp
as $function$
    select r.id
    from selection.receipt as r
    where r.principal_id = (select policy.principal_id())
        and r.goal_hash is null -- lookups write theirs in batches, later
        and (last_receipt.goal is null or r.goal = regexp_replace(last_receipt.goal, '^\s+|\s+$', '', 'g'))
    order by r.created_at desc, r.id desc
    limit 1;
$function$;
comment on function api.last_receipt(text) is
'Returns the id of the caller''s newest receipt, of this goal if one is given; null if there is none.';
grant execute on function api.last_receipt to qm_user;
