begin;
select plan(7);

select lookup.put_table('animal', null, null);
create function pg_temp.put(p_rows jsonb, p_replaces boolean default true, p_among text[] default null) returns text language sql as $$
    select concat_ws(' ', p.added, p.changed, p.unchanged, p.removed) from lookup.put_rows(t.lookup_id('animal'), p_rows, p_replaces, p_among) as p
$$;
select is(pg_temp.put('[{"id": "1", "value": "Elk", "aliases": ["moose", "Elk", " "]}, {"id": "2", "value": "Hare", "properties": {"rank": "genus", "family": null}}]'), '2 0 0 0', 'both are new');
select results_eq(
    $$select r.aliases, r.properties, r.facts from lookup.lookup_row as r order by r.key$$,
    $$values ('{moose}'::text[], '{}'::jsonb, '{}'::text[]), ('{}', '{"rank": "genus"}', '{rank=genus}')$$, 'without aliases and properties that say nothing'
);
select is(pg_temp.put('[{"id": "1", "value": "Elk", "aliases": ["moose"]}, {"id": "2", "value": "Brown hare"}, {"id": "3", "value": "Lynx"}]'), '1 1 1 0', 'one has changed');
select is(pg_temp.put('[{"id": "3", "value": "Lynx"}]', p_among => '{1}'), '0 0 2 1', 'one of those that may be removed is');
select is(pg_temp.put('[]', false), '0 0 2 0', 'none, if nothing is replaced');
select results_eq(
    $$select l.rows, l.names, l.version, l.properties from lookup.lookup_table as l where l.name = 'animal'$$,
    $$values (2, 2, 3::bigint, '{}'::text[])$$, 'the table says what it has, and how often it changed'
);
select throws_ok($$select pg_temp.put('[{"id": "1"}]')$$, 'QM422', null, 'a row without a value');

select * from finish();
rollback;
