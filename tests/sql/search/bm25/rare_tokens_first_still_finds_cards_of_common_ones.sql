-- One card with the rare word, five hundred with the common one: the second pass must fetch the rest.
begin;
select plan(3);

select t.make_kind('common');
select search.put_cards(
    'common',
    (
        select jsonb_agg(jsonb_build_object('ref', n, 'name', 'card ' || n, 'fields',
            jsonb_build_array('', '', 'common ' || repeat('filler ', n % 7) || case when n = 1 then 'rareword' else '' end, '')))
        from generate_series(1, 500) as n
    )
);
select is((select count(*) from search.bm25('common', 'rareword common', 20)), 20::bigint, 'as many as asked for');
select is(
    (select t.ref_of(b.card_id) from search.bm25('common', 'rareword common', 1) as b), 1::bigint,
    'the card with both is first'
);
select is((select count(*) from search.bm25('common', 'common', 1000)), 500::bigint, 'no more than there are');

select * from finish();
rollback;
