begin;
select plan(5);

select t.make_kind('drift');
select t.make_card('drift', 1, 'one', 'alpha beta');
select t.make_card('drift', 2, 'two', 'alpha gamma');
select is((select k.weighed_length from search.kind as k where k.name = 'drift'), 4::double precision, 'two short cards');
select t.make_card('drift', 3, 'three', 'alpha ' || repeat('delta ', 50));
select is(
    (select k.weighed_length from search.kind as k where k.name = 'drift'), (select k.total_length / 3 from search.kind as k where k.name = 'drift'),
    'a long one moves the average beyond the tolerance'
);
select is_empty(
    $$select * from search.bm25('drift', 'alpha', 5) as b full join t.naive_bm25('drift', 'alpha') as n on n.card_id = b.card_id
      where b.score is null or n.score is null or abs(b.score - n.score) > 0.001$$, 'every card was weighed anew'
);
select search.remove_cards('drift', '{3}');
select is((select k.weighed_length from search.kind as k where k.name = 'drift'), 4::double precision, 'removing it moves the average back');
select is_empty(
    $$select * from search.bm25('drift', 'alpha', 5) as b full join t.naive_bm25('drift', 'alpha') as n on n.card_id = b.card_id
      where b.score is null or n.score is null or abs(b.score - n.score) > 0.001$$, 'and the weights with it'
);

select * from finish();
rollback;
