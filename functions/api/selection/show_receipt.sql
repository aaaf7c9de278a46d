-- api.show_receipt: returns what a receipt says about its selection: what was asked, offered and withheld, and how long
-- each stage took.
create or replace function api.show_receipt(receipt bigint)
returns jsonb
language sql
stable parallel safe security definer
set search_path = pg_catalog, pg_temp
as $function$
    select to_jsonb(r) - '{principal_id,goal_hash}'::text[]
    from selection.receipt as r
    where r.id = show_receipt.receipt;
$function$;
comment on function api.show_receipt(bigint) is
'Shows which cards a search returned, and why. Argument receipt: number of the receipt (record) of the search. Returns '
'the receipt as JSON: the time, the kind of card, the goal, the mode, the returned cards with their scores, the number '
'of cards that each rule withheld, and the duration of each stage in milliseconds. Users may see their own receipts, '
'and administrators may see all receipts. Returns null if the receipt does not exist, or if the caller may not see it.';
alter function api.show_receipt owner to qm_reader;
grant execute on function api.show_receipt to qm_user;
