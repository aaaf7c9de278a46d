begin;
select plan(3);

select t.make_kind('memo'), t.make_kind('note'), search.put_model('one', 3, true), search.put_model('two', 4, false);
select t.make_card('memo', 1, 'a', 'a'), t.make_card('memo', 2, 'b', 'b'), t.make_card('note', 1, 'a', 'a');
select t.embed_cards(k.name, m.name) from search.kind as k cross join search.model as m where k.name in ('memo', 'note') and m.name in ('one', 'two');
create temporary table gone as select c.text_hash from search.card as c where c.kind = 'memo' and c.ref = 1;
create function pg_temp.vectors() returns text language sql as $$
    select string_agg(e.kind || case when e.text_hash = g.text_hash then ' a' else ' b' end, ', ' order by e.kind, e.text_hash = g.text_hash desc) from search.embedding as e, gone as g where e.kind in ('memo', 'note')
$$;
select search.forget_vectors('memo', array[g.text_hash]) from gone as g;
select is(pg_temp.vectors(), 'memo a, memo a, memo b, memo b, note a, note a', 'a text that a card still has stays');
select search.remove_cards('memo', '{1}');
select search.forget_vectors('memo', array[g.text_hash, g.text_hash, sha256('never there')]) from gone as g;
select is(pg_temp.vectors(), 'memo b, memo b, note a, note a', 'then its vectors of all models go, and none of another kind');
select search.remove_cards('memo', '{2}');
select search.forget_vectors('memo', '{}');
select is(pg_temp.vectors(), 'memo b, memo b, note a, note a', 'what is not named stays');

select * from finish();
rollback;
