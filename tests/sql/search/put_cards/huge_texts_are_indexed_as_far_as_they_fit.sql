begin;
select plan(3);

select t.make_kind('huge');
-- Other tests were rolled back: their pages are there, and statistics may say that all are empty.
select t.make_corpus('huge', 50, 300, 0.5);
analyze search.card, search.lexical, search.term;
select lives_ok(
    $$select t.make_card('huge', 1001, 'words', (select string_agg('w' || n, ' ') from generate_series(1, 30000) as n))$$, 'thirty thousand words'
);
select lives_ok(
    $$select t.make_card('huge', 1002, 'chinese', (select string_agg(chr(19968 + (n * 7919) % 20000), '') from generate_series(1, 60000) as n))$$,
    'sixty thousand characters without a space'
);
select is((select count(*) from search.bm25('huge', 'w1999', 5)), 1::bigint, 'what fits is found');

select * from finish();
rollback;
