-- selection.keep_pool: a search must not wait for another one. If another transaction is writing or deleting the same
-- pool, the function therefore caches nothing. It also does not delete expired pools, because other searches would then
-- wait for its transaction.
-- Writes: selection.pool.
create or replace function selection.keep_pool(p_key bytea, p_expires_at timestamptz, p_cards search.found[])
returns boolean
language plpgsql
volatile parallel unsafe security invoker
set search_path = pg_catalog, pg_temp
as $function$
begin
    if not pg_try_advisory_xact_lock(hashtextextended(encode(p_key, 'hex'), 0)) then
        return false;
    end if;
    perform from selection.pool as p where p.key = p_key for update skip locked;
    if not found and exists (select from selection.pool as p where p.key = p_key) then
        return false;
    end if;
    insert into selection.pool as p (key, expires_at, cards)
    values (p_key, p_expires_at, p_cards)
    on conflict (key) do update set expires_at = excluded.expires_at, cards = excluded.cards;
    return true;
end
$function$;
comment on function selection.keep_pool(bytea, timestamptz, search.found[]) is
'Caches the candidates of a search. Arguments: p_key: key of the pool; p_expires_at: until when the pool is used; '
'p_cards: the candidates, best first. Returns true if the candidates were cached. Returns false if another transaction '
'is writing the pool.';
