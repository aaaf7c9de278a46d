begin;
select plan(2);

select t.make_kind('again');
select t.make_corpus('again', 20, 40, 0.6);
create temporary table before as select t.lexeme, t.cards from search.term as t where t.kind = 'again' and t.cards > 0;
create temporary table cards_before as select c.id, c.ref, c.text_hash from search.card as c where c.kind = 'again';
select t.make_corpus('again', 20, 40, 0.6);
select set_eq($$select t.lexeme, t.cards from search.term as t where t.kind = 'again' and t.cards > 0$$, $$select * from before$$, 'frequencies');
select set_eq($$select c.id, c.ref, c.text_hash from search.card as c where c.kind = 'again'$$, $$select * from cards_before$$, 'ids and hashes');

select * from finish();
rollback;
