-- A stand-in for the extension, which finds every card in the order of ref.
begin;
select plan(6);

select t.make_kind('words');
select search.put_cards('words', (select jsonb_agg(jsonb_build_object('ref', n, 'name', 'c' || n, 'fields', jsonb_build_array('city' || n, '', 'a city'))) from generate_series(1, 60) as n));
create temporary table asked (words text, cards integer);
grant insert, select on asked to public;
create or replace function search.match_words(p_kind text, p_words text, p_limit integer)
returns bigint[]
language plpgsql as $$
begin
    insert into pg_temp.asked (words, cards) values (p_words, p_limit);
    return array(select c.id from search.card as c where c.kind = p_kind order by c.ref limit p_limit);
end
$$;
create temporary table own as select t.ref_of(b.card_id) as ref, b.score from search.bm25('words', 'a city', 60) as b;
alter function search.bm25_pg_search(text, integer, search.goal_terms) volatile;
select core.report_capability('pg_search', true, 'candidates', 'our own', null);
select is_empty('select from asked', 'our own BM25 did not ask it');
select t.make_rules('{"rules": [{"effect": "deny", "subject": "everyone", "names": "hidden*"}]}');
update search.card set name = 'hidden' where kind = 'words' and ref % 20 <> 0;

create temporary view theirs as
select t.ref_of(b.card_id) as ref, b.score from search.bm25_pg_search('words', 2, search.read_terms('words', 'of a city')) as b;
select results_eq('select ref from theirs order by ref', array[20::bigint, 40], 'the best two that may be seen');
select results_eq('select cards from asked', array[6, 12, 24, 48], 'more are asked for until there are enough');
select is((select min(a.words) from asked as a), 'citi', 'it is asked for the tokens that the kind knows');
select results_eq('select * from theirs order by ref', 'select * from own where ref in (20, 40) order by ref', 'scores are our own');
truncate asked;
select is_empty($$select from search.bm25('words', 'city', 2) where exists (select from asked)$$, 'a small kind has no need of it');

select * from finish();
rollback;
