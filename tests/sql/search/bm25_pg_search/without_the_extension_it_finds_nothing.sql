begin;
select plan(2);

select t.make_kind('words'), t.make_principal('alice');
select t.make_card('words', 1, 'clock', 'clock', '', 'Tells the time of a city');
select is(
    exists (select from search.bm25_pg_search('words', 'time in a city', 10)), core.has_capability('pg_search'),
    'it finds cards only where the server has pg_search'
);
select t.act_as('alice', 'qm_user');
select throws_ok($$select * from search.bm25_pg_search('words', 'time', 10)$$, '42501', null, 'only search.bm25 calls it');

select * from finish();
rollback;
