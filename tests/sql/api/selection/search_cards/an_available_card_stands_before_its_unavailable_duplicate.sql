begin;
select plan(5);

select t.make_origin('first'), t.make_origin('second');
select t.make_tools('first', 'lighthouses'), t.make_tools('second', 'lighthouses'), t.make_principal('alice');
select search.put_model('test-2', 2, true);
select search.store_embeddings('test-2', array_agg(c.kind), array_agg(c.text_hash), array_agg('[1, 0]'::text))
from search.card as c
where c.kind = 'tool';
create function pg_temp.found() returns table (name text, receipt bigint) language sql as $$
    select s.name, s.receipt from api.search_cards('lighthouses', array['tool'], query_vector => '[1, 0]') as s
$$;
select t.act_as('alice');
select results_eq('select f.name from pg_temp.found() as f', array['first__lighthouses'], 'of two duplicates, the older one is found');
select t.act_as_superuser();
update catalog.origin set transport = 'none', command = '{}' where name = 'first';
select t.act_as('alice');
create temporary table answer as select f.name, f.receipt from pg_temp.found() as f;
select results_eq('select a.name from answer as a', array['second__lighthouses'], 'while it cannot be used, the other one is');
select results_eq(
    $$select s.name, s.detail ->> 'of' from answer as a cross join lateral api.show_receipt(a.receipt) as s where s.detail ->> 'rule' = 'duplicate'$$,
    $$values ('first__lighthouses', 'second__lighthouses')$$, 'the receipt names the duplicate'
);
select t.act_as_superuser();
update catalog.origin set transport = 'none', command = '{}';
select t.act_as('alice');
select results_eq('select f.name from pg_temp.found() as f', array['first__lighthouses'], 'if none can be used, the older one is found again');
select ok((select s.unavailable is not null from api.search_cards('lighthouses', array['tool'], query_vector => '[1, 0]') as s), 'and it says why it cannot be used');

select * from finish();
rollback;
