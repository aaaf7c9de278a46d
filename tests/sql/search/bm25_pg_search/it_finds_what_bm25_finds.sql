-- Where the server has pg_search; elsewhere the absence is told, and no card.
begin;
select plan(4);

select t.make_kind('words'), t.make_principal('alice');
select t.make_card('words', 1, 'clock', 'clock', '', 'Tells the time of a city'),
    t.make_card('words', 2, 'weather', 'weather', '', 'Forecast of a city'),
    t.make_card('words', 3, 'editor', 'editor', '', 'Changes files');
select is(
    (select count(*) from search.bm25_pg_search('words', 'time in a city', 10)),
    case when core.has_capability('pg_search') then 2 else 0 end::bigint, 'cards with a word of the goal, or none without pg_search'
);
select case
    when core.has_capability('pg_search') then set_eq(
        $$select b.card_id from search.bm25_pg_search('words', 'forecast clock', 10) as b$$,
        $$select b.card_id from search.bm25('words', 'forecast clock', 10) as b$$, 'the same cards'
    )
    else skip('pg_search is not on this server', 1) end;
select case
    when core.has_capability('pg_search') then lives_ok(
        $$select * from search.bm25_pg_search('words', 'it''s "quoted": (a OR b) \ %', 10)$$, 'any punctuation'
    )
    else skip('pg_search is not on this server', 1) end;
select t.act_as('alice', 'qm_user');
select throws_ok($$select * from search.bm25_pg_search('words', 'time', 10)$$, '42501', null, 'only search.bm25 calls it');

select * from finish();
rollback;
