begin;
select plan(6);

create temporary view words as
select c.ref, regexp_split_to_array(btrim(w.words), ' ') as words from search.words as w inner join search.card as c on c.id = w.id;
select core.report_capability('pg_search', false, 'candidates', 'our own', 'it is not here');
select t.make_kind('words');
select t.make_card('words', 1, 'clock', 'clock', 'home', 'Tells the hour', 'zone');
select is_empty('select from words', 'without pg_search there are none');

select core.report_capability('pg_search', true, 'candidates', 'our own', null);
select t.make_card('words', 1, 'clock', 'clock', 'home', 'Tells the hour of the clock', 'zone');
select t.make_card('words', 2, 'lamp', 'lamp', '', 'Gives light');
select results_eq(
    $$select u.word, count(*)::integer from words as w cross join unnest(w.words) as u (word) where w.ref = 1 group by u.word order by u.word$$,
    $$values ('clock', 6), ('home', 2), ('hour', 2), ('tell', 2), ('zone', 1)$$, 'name 4, origin 2, description 2, parameters 1'
);
select is((select count(*) from words), 2::bigint, 'a text for each card');
select search.put_kind('words', 'for tests', '{1, 1, 1, 0.5}');
select is((select cardinality(array_positions(w.words, 'lamp')) from words as w where w.ref = 2), 2, 'new field weights count');
select t.make_card('words', 2, 'lamp', 'lamp', '', 'Burns');
select ok((select 'burn' = any(w.words) and 'light' <> all(w.words) from words as w where w.ref = 2), 'a changed card has other words');
select search.remove_cards('words', '{2}');
select is((select array_agg(w.id) from search.words as w where w.kind = 'words'), (select array_agg(c.id) from search.card as c where c.kind = 'words'), 'a removed card has none');

select * from finish();
rollback;
