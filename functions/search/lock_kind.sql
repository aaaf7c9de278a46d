-- search.lock_kind: lets one transaction at a time write cards of a kind, because corpus statistics cannot be added up
-- concurrently.
-- The lock has the mode "for no key update". Inserting a row that refers to the kind takes a key share lock on the
-- kind; a stronger mode would make two writers with such locks wait for each other.
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
