-- search.place_names: the probability that a card is right (its confidence) is computed from these numbers and from the
-- features of the card.
create or replace function search.place_names()
returns text[]
language sql
immutable parallel safe security invoker
set search_path = pg_catalog, pg_temp
as $function$
    select '{odds,odds_squared,odds_high,lead,rank,best,nearest}'::text[];
$function$;
comment on function search.place_names() is
'Returns the names of the numbers that describe the position of a card in a list of results. The order is the same as '
'that of their weights in search.coefficients. The numbers are: odds: the log odds of the card''s score; odds_squared: '
'the square of odds; odds_high: odds minus 3, at least 0; lead: odds minus the best odds of another card; rank: the '
'natural logarithm of the rank; best: the best odds in the list; nearest: the best cosine in the list.';
grant execute on function search.place_names to qm_reader;
