begin;
select plan(2);

select is(search.create_words_index(), core.has_capability('pg_search'), 'it says whether there is pg_search');
select is(
    to_regclass('search.card_words_idx') is not null, core.has_capability('pg_search'), 'and makes its index only there'
);

select * from finish();
rollback;
