-- search.lock_kind: the lock is needed because transactions cannot add to the same corpus statistics at the same time.
-- The lock has the mode "for no key update". A transaction that inserts a row of this kind already holds a key share
-- lock on the kind. With a stronger mode, two such transactions would wait for each other (deadlock).
create or replace function search.lock_kind(p_kind text)
returns void
language plpgsql
volatile parallel unsafe security invoker
set search_path = pg_catalog, pg_temp
as $function$
begin
    perform from search.kind as k where k.name = p_kind for no key update;
    if not found then
        perform search.refuse_kind(p_kind);
    end if;
end
$function$;
comment on function search.lock_kind(text) is
'Locks the row of a kind until the end of the transaction. Only one transaction at a time can therefore write cards of '
'this kind. Argument p_kind: kind of card. Raises QM404 kind_not_found.';
