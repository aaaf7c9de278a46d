begin;
select plan(1);

select t.make_kind('tied');
select t.make_card('tied', n, 'card', 'same words') from generate_series(5, 1, -1) as n;
select results_eq(
    $$select b.card_id from search.bm25('tied', 'words', 3) as b$$,
    $$select c.id from search.card as c where c.kind = 'tied' order by c.id limit 3$$,
    'the lowest ids, in order'
);

select * from finish();
rollback;
