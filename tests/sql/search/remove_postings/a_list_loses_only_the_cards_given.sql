begin;
select plan(3);

select t.make_kind('listed');
select search.put_cards('listed', (
    select jsonb_agg(jsonb_build_object('ref', n, 'name', 'c' || n, 'fields', jsonb_build_array('common only' || chr(96 + n))))
    from generate_series(1, 3) as n
));
create view pg_temp.lists as
select s.lexeme, count(*) filter (where w.weight > 0) as cards
from search.posting as p
inner join search.term as s on s.id = p.term_id and s.kind = 'listed'
cross join unnest(p.weights::ext.vector::real[]) as w (weight)
group by s.lexeme;

select results_eq(
    $$select l.lexeme, l.cards from pg_temp.lists as l order by 2 desc, 1$$,
    $$values ('common', 3::bigint), ('onlya', 1), ('onlyb', 1), ('onlyc', 1)$$, 'each token has the list of its cards'
);
select search.remove_postings('listed', array(select c.id from search.card as c where c.kind = 'listed' and c.ref = 2));
select results_eq(
    $$select l.lexeme, l.cards from pg_temp.lists as l order by 2 desc, 1$$,
    $$values ('common', 2::bigint), ('onlya', 1), ('onlyc', 1)$$, 'the card is in none, and the empty list is gone'
);
select is(
    (select count(*) from search.bm25('listed', 'common', 10)), 2::bigint, 'what has no posting is not found'
);

select * from finish();
rollback;
