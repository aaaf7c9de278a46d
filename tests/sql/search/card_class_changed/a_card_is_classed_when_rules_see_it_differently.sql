begin;
select plan(5);

select t.make_rules('{"rules": [{"effect": "deny", "subject": "everyone", "names": "secret*"}, {"effect": "deny", "subject": "everyone", "categories": "money"}]}');
select t.make_kind('memo'), t.make_card('memo', 1, 'secret one', 'a'), t.make_card('memo', 2, 'open', 'b');
create function pg_temp.classed() returns text language sql as $$
    select string_agg(c.name, ',' order by c.name) from search.card as c where c.kind = 'memo' and c.rights_class <> 0
$$;
select is(pg_temp.classed(), 'secret one', 'a new card');
update search.card as c set name = 'secret two' where c.kind = 'memo' and c.ref = 2;
select is(pg_temp.classed(), 'secret one,secret two', 'one that is renamed');
update search.card as c set name = c.ref || ' open' where c.kind = 'memo';
select is(pg_temp.classed(), null, 'and renamed again');
update search.card as c set categories = '{money}' where c.kind = 'memo' and c.ref = 1;
select is(pg_temp.classed(), '1 open', 'one with another category');
update search.card as c set rights_class = 0, brief = 'changed' where c.kind = 'memo';
select is(pg_temp.classed(), null, 'what no rule looks at changes no class');

select * from finish();
rollback;
