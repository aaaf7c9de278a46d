begin;
select plan(2);

select t.make_catalog(), t.make_kind('memo');
update catalog.item set rights_class = 5 where name = 'convert_time';
delete from search.lexical;
delete from search.card;
insert into search.card (kind, ref, name, origin, label, brief, embedding_text, text_hash)
select k.kind, i.id, i.public_name, 'time', i.name, '', 'x', ''
from catalog.item as i cross join (values ('tool'), ('memo')) as k (kind) where i.name = 'convert_time';
select is((select c.rights_class from search.card as c where c.kind = 'tool'), 5, 'the card of the item');
select is((select c.rights_class from search.card as c where c.kind = 'memo'), 0, 'not one of another kind with the same number');

select * from finish();
rollback;
