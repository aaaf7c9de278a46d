begin;
select plan(5);

select t.make_kind('memo', '{1, 1, 1, 1}'), t.make_card('memo', 1, 'a', 'red apple', '', 'round'), t.make_card('memo', 2, 'b', 'pear');
create function pg_temp.length() returns text language sql as $$
    select k.total_length || ' ' || (select l.length from search.lexical as l where l.kind = 'memo' and l.ref = 1) from search.kind as k where k.name = 'memo'
$$;
update search.kind as k set field_weights = '{1, 1, 5, 1}' where k.name = 'memo';
select search.weigh_kind('memo', '{1, 1, 5, 1}', '{1, 1, 5, 1}');
select is(pg_temp.length(), '4 3', 'the same weights leave all as it is');
select search.weigh_kind('memo', '{1, 1, 5, 1}', '{1, 1, 1, 1}');
select is(pg_temp.length(), '8 7', 'other weights make other lengths');
select is_empty($$select * from t.wrong_statistics('memo')$$, 'and other postings');
delete from search.posting as p using search.term as x where x.id = p.term_id and x.kind = 'memo';
update search.kind as k set weighed_length = null where k.name = 'memo';
select search.weigh_kind('memo', '{1, 1, 5, 1}', '{1, 1, 5, 1}');
select is_empty($$select * from t.wrong_statistics('memo')$$, 'a migration can ask for it');
select isnt((select k.weighed_length from search.kind as k where k.name = 'memo'), null, 'once');

select * from finish();
rollback;
