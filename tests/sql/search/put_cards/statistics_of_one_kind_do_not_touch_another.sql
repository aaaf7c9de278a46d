begin;
select plan(2);

select t.make_kind('here');
select t.make_kind('there');
select t.make_card('there', 1, 'one', 'alpha beta');
create temporary table before as select * from search.term where kind = 'there';
select t.make_corpus('here', 10, 50, 0.4);
select t.make_card('here', 99, 'one', 'alpha');
select set_eq($$select * from search.term where kind = 'there'$$, $$select * from before$$, 'terms of the other kind are as they were');
select is((select k.cards from search.kind as k where k.name = 'there'), 1::bigint, 'and its number of cards');

select * from finish();
rollback;
