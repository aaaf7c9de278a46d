begin;
select plan(4);

select t.make_kind('memo'), t.make_card('memo', 1, 'a', 'red apple'), t.make_card('memo', 2, 'b', 'green apple');
create function pg_temp.known() returns text language sql as $$
    select k.cards || ': ' || (select string_agg(x.lexeme || ' ' || x.cards, ', ' order by x.lexeme) from search.term as x where x.kind = 'memo')
    from search.kind as k where k.name = 'memo'
$$;
create temporary table card as select array_agg(c.id) filter (where c.ref = 2) as second from search.card as c where c.kind = 'memo';
select search.count_terms('memo', c.second, -1) from card as c;
select is(pg_temp.known(), '1: appl 1, green 0, red 1', 'a card less');
select is((select k.total_length from search.kind as k where k.name = 'memo'), (select l.length::double precision from search.lexical as l where l.kind = 'memo' and l.ref = 1), 'with its length');
select is((select count(*) from search.bm25('memo', 'apple', 5)), 1::bigint, 'and without its postings');
select search.count_terms('memo', c.second, 1) from card as c;
select is(pg_temp.known(), '2: appl 2, green 1, red 1', 'and a card more');

select * from finish();
rollback;
