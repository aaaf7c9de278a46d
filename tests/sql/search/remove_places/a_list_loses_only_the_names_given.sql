begin;
select plan(2);

select search.put_kind('fruit', 'made for a test', p_index_type => 'names');
select search.put_cards('fruit', '[{"ref": 1, "name": "x a", "label": "x a"}, {"ref": 2, "name": "x b", "label": "x b"}, {"ref": 3, "name": "x c", "label": "x c"}]');
create temporary view lists as
select x.lexeme, array_agg(t.ref_of(p.block * 32768 + s.place) order by s.place) as refs
from search.name_posting as p
inner join search.term as x on x.id = p.term_id and x.kind = 'fruit'
cross join unnest(p.places) as s (place)
where x.lexeme like '=%'
group by x.lexeme;
select results_eq('select * from lists order by 1', $$values ('=a', '{1}'::bigint[]), ('=b', '{2}'), ('=c', '{3}'), ('=x', '{1,2,3}')$$, 'each word has the list of its names');
select search.remove_places('fruit', array(select c.id from search.card as c where c.kind = 'fruit' and c.ref = 2));
select results_eq('select * from lists order by 1', $$values ('=a', '{1}'::bigint[]), ('=c', '{3}'), ('=x', '{1,3}')$$, 'the name is in none, and the empty list is gone');

select * from finish();
rollback;
