-- search.lock_kind: lets one transaction at a time write cards of a kind, because corpus statistics cannot be added up
-- concurrently.
-- It locks "for no key update": rows that refer to the kind hold a key share lock on it, and two writers that hold such
-- a lock must not wait for each other.
-- Raises: QM404 kind_not_found.
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
comment on function search.lock_kind(text) is 'Locks the row of the kind for the rest of the transaction.';
