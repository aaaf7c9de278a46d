-- search.large_share: how large a catalog is, for all rules that differ between small and large catalogs
-- (docs/selection.md#large-catalogs-and-long-goals).
create or replace function search.large_share(p_cards bigint)
returns float8
language sql
immutable parallel safe security invoker
set search_path = pg_catalog, pg_temp
as $function$
    select least(ln(greatest(p_cards, 200) / 200::float8) / ln(4000 / 200::float8), 1);
$function$;
comment on function search.large_share(bigint) is
'Tells how large a catalog is. Argument p_cards: number of cards of a kind. Returns 0 for up to 200 cards, 1 for 4,000 '
'cards or more, and in between a number that grows with the logarithm of the number of cards.';
grant execute on function search.large_share to qm_reader;
