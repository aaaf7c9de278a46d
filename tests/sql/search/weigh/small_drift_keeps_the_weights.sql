begin;
select plan(2);

select t.make_kind('steady');
select t.make_corpus('steady', 200, 100, 0.7);
update core.setting set value = '0.5' where name = 'weights.tolerance';
create temporary table before as
select l.card_id, l.weights::text as weights from search.lexical as l where l.kind = 'steady';
select t.make_card('steady', 999, 'one more', 'waax');
select set_eq(
    $$select l.card_id, l.weights::text from search.lexical as l inner join search.card as c on c.id = l.card_id where l.kind = 'steady' and c.ref <> 999$$,
    $$select * from before$$, 'the others are left alone'
);
select ok((select l.weights is not null from search.lexical as l where l.ref = 999 and l.kind = 'steady'), 'the new one has weights');

select * from finish();
rollback;
