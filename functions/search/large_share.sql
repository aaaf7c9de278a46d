create or replace function search.large_share(p_cards bigint, p_goal text default null)
returns float8
language sql
immutable parallel safe security invoker
set search_path = pg_catalog, pg_temp
as $function$
    select least(
        greatest(
            ln(greatest(p_cards, 200) / 200::float8) / ln(4000 / 200::float8),
            ln(
                greatest(cardinality(regexp_split_to_array(btrim(p_goal), '\s+' collate core.c_utf8)), 28) / 28::float8
            ) / ln(40 / 28::float8)
        ),
        1
    );
$function$;
comment on function search.large_share(bigint, text) is
'Returns how much a search should use the weights for large catalogs and long goals, from 0 to 1. Arguments: p_cards: '
'number of cards of a kind; p_goal: the goal (null: only the number of cards counts). Returns the larger of two '
'numbers. The first depends on the cards: it is 0 for up to 200 cards, and grows with the logarithm of their number to '
'1 for 4,000 cards. The second depends on the goal: it is 0 for up to 28 words, and grows with the logarithm of their '
'number to 1 for 40 words.';
grant execute on function search.large_share to qm_reader;
