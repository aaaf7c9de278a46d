begin;
select plan(12);

select t.make_lookups(), t.make_principal('alice'), t.make_principal('bob');
select lookup.put_rows(lookup.put_table('shrub', 'Shrubs', null), '[{"id": "a", "value": "Betula nana", "properties": {"height": 1}}]', true);
select lookup.put_rows(lookup.put_table('journal', 'Journals', null), '[{"id": "j", "value": "Nature"}]', true);
select t.make_rules('{"rules": [{"effect": "deny", "subject": "principal:bob", "origins": ["shrub"]}]}');
create function pg_temp.likely(p_query text, p_properties text[] default null) returns text[] language sql as $$
select array_agg(t.name order by t.name)
from lookup.lookup_table as t
where t.id = any(lookup.likely_tables((select array_agg(x.id) from lookup.lookup_table as x), p_query, p_properties))
$$;

select throws_ok($$select t.read_as(null), lookup.likely_tables('{1}', 'x', null)$$, 'QM403', null, 'nobody is told nothing');
select t.read_as('bob');
select is(pg_temp.likely('Betula nana'), array['plant'], 'a table that is hidden is none of them');
select t.read_as('alice');
select is(pg_temp.likely('Betula nana'), array['plant', 'shrub'], 'tables with the name are');
select is(pg_temp.likely('Umea'), array['place'], 'and those with little in common with the string are not');
select is(pg_temp.likely('Betula nan'), array['plant', 'shrub'], 'a part of it will do');
select is(pg_temp.likely('MS'), array['plant'], 'initials share no letters with what they stand for');
select is(pg_temp.likely('j'), array['journal'], 'nor has an id anything to share');
select is(pg_temp.likely('Umea', array['height']), array['place', 'shrub'], 'a table that has a property asked for is asked');
select is(pg_temp.likely('Betula alba'), array['plant', 'shrub'], 'a retired row is no name of its table');
select is(pg_temp.likely('§'), null, 'nothing in common with any');
select results_eq(
    $$select x.row ->> 'lookup', x.row ->> 'id'
      from api.reconcile_lookups('[{"query": "Umea"}, {"query": "Betula nana"}]') as r cross join jsonb_array_elements(r.rows) as x (row)
      where (x.row ->> 'score')::real > 0.4
      order by r.number, 1$$,
    $$values ('place', '1'), ('plant', '2'), ('shrub', 'a')$$, 'a batch over all tables is answered by those that are likely'
);
select t.act_as_superuser();
update lookup.lookup_table as t set has_vectors = true where t.name = 'journal';
select t.read_as('alice');
select is(pg_temp.likely('Umea'), array['journal', 'place'], 'a table with vectors is asked in any case: meanings share no letters');

select * from finish();
rollback;
