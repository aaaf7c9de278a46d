begin;
select plan(4);

select t.make_rules('{"rules": [{"effect": "deny", "subject": "everyone", "names": "secret*"}]}');
select t.make_catalog(), t.make_kind('memo'), t.make_card('memo', 1, 'secret one', 'a'), t.make_card('memo', 2, 'secret two', 'b'), t.make_card('memo', 3, 'open', 'c');
create temporary table class as select c.rights_class as secret from search.card as c where c.name = 'secret one';
create function pg_temp.classed() returns text language sql as $$
    select string_agg(c.name, ',' order by c.name) from search.card as c, class as k where c.kind = 'memo' and c.rights_class = k.secret
$$;
update search.card as c set rights_class = -1;
select search.classify_cards(array[c.id]) from search.card as c where c.name = 'secret one';
select is(pg_temp.classed(), 'secret one', 'the cards given');
select search.classify_cards();
select is(pg_temp.classed(), 'secret one,secret two', 'or all');
select is((select c.rights_class from search.card as c where c.name = 'open'), 0, 'those that no rule names have the class of everything else');
select is((select count(*) from search.card as c where c.kind = 'tool' and c.rights_class <> -1), 0::bigint, 'a card of an item has the class of its item');

select * from finish();
rollback;
