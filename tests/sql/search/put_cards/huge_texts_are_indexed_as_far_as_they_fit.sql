begin;
select plan(3);

select t.make_kind('huge');
select lives_ok(
    $$select t.make_card('huge', 1, 'words', (select string_agg('w' || n, ' ') from generate_series(1, 30000) as n))$$, 'thirty thousand words'
);
select lives_ok(
    $$select t.make_card('huge', 2, 'chinese', (select string_agg(chr(19968 + (n * 7919) % 20000), '') from generate_series(1, 60000) as n))$$,
    'sixty thousand characters without a space'
);
select is((select count(*) from search.bm25('huge', 'w1', 5)), 1::bigint, 'what fits is found');

select * from finish();
rollback;
