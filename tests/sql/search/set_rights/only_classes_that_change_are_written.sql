begin;
select plan(2);

select t.make_kind('memo'), t.make_kind('note');
select t.make_card('memo', 1, 'a', 'a'), t.make_card('memo', 2, 'b', 'b'), t.make_card('note', 1, 'c', 'c');
create temporary view rights as select c.name, c.rights_class, c.ctid as place from search.card as c where c.kind in ('memo', 'note');
create temporary table before as select r.* from rights as r;
select search.set_rights('memo', '{1,2,3}', '{7,0,8}');
select results_eq('select r.name, r.rights_class from rights as r order by 1', $$values ('a', 7), ('b', 0), ('c', 0)$$, 'a card of this kind has another class');
select results_eq('select r.name from rights as r inner join before as b using (name, place) order by 1', $$values ('b'), ('c')$$, 'the others are as they were');

select * from finish();
rollback;
