begin;
select plan(3);

select t.at('2026-01-01 12:00 UTC'), t.make_lookups();
insert into lookup.curation (table_id, key, kind, alias, provenance, name, curator, curated_at)
values
(t.lookup_id('plant'), '1', 'alias', 'silver birch', '{}', 'plant/1', 'cora', core.now()),
(t.lookup_id('plant'), '1', 'retirement', '', '{}', 'plant/1', 'cora', core.now()),
(t.lookup_id('plant'), '1', 'provenance', '', '{"year": 1753}', 'plant/1', 'cora', core.now());
select t.at('2026-02-01 12:00 UTC');
select results_eq(
    $$select * from lookup.curate_row(t.lookup_id('plant'), '1')$$,
    $$values ('1', 'Betula pendula', '{silver birch,vårtbjörk}'::text[], false, '{"year": 1753}'::jsonb)$$, 'an alias, a retirement, a provenance'
);
select is((select l.loaded_at from lookup.lookup_table as l where l.name = 'plant'), '2026-01-01 12:00 UTC', 'the table was not loaded');
delete from lookup.curation;
select results_eq(
    $$select r.aliases, r.active, r.provenance from lookup.curate_row(t.lookup_id('plant'), '1') as r$$,
    $$values ('{vårtbjörk}'::text[], true, '{}'::jsonb)$$, 'without them it is as its source has it'
);

select * from finish();
rollback;
