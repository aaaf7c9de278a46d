begin;
select plan(9);

select t.make_lookups(), t.make_principal('op', 'operator');
select t.act_as('op', 'qm_operator');
select api.add_alias('plant', '1', 'silver birch'), api.add_alias('plant', '2', 'dwarf birch'), api.retire_row('plant', '3'), api.attach_provenance('plant', '2', '{"source": "Flora Europaea"}');
select results_eq(
    $$select l.* from api.load_lookup('plant', '[
        {"id": "1", "value": "Betula pendula", "aliases": ["silver birch", "warty birch"]},
        {"id": "2", "value": "Betula nana", "provenance": {"source": "file", "year": 1753}},
        {"id": "3", "value": "Bromus pendula"}
    ]', may_remove => true) as l$$, $$values (0, 3, 0, 3)$$, 'the file changes what it says'
);
select results_eq(
    $$select r.id, r.aliases, r.active from api.lookup_rows('plant', active_only => false) as r$$,
    $$values ('1', '{silver birch,warty birch}'::text[], true), ('2', '{dwarf birch}'::text[], true), ('3', '{}'::text[], false)$$,
    'what curators have said holds over it'
);
select is((select g.provenance from api.get_by_id('plant', '2') as g), '{"source": "Flora Europaea", "year": 1753}', 'also of the provenance');
select results_eq($$select r.aliases from api.remove_alias('plant', '1', 'silver birch') as r$$, $$values ('{silver birch,warty birch}'::text[])$$, 'what the file says now, too, stays');
select results_eq($$select r.active from api.restore_row('plant', '3') as r$$, array[true], 'a row comes back as the file has it');
select api.load_lookup('plant', '[{"id": "1", "value": "Betula pendula"}]', may_remove => true);
select results_eq($$select c.id, c.value, c.kind from api.list_curations('plant') as c order by c.kind$$, $$values ('2', null, 'alias'), ('2', null, 'provenance')$$, 'a row that the file leaves out is still curated');
select api.load_lookup('plant', '[{"id": "2", "value": "Betula nana"}]', false);
select results_eq($$select g.aliases, g.provenance from api.get_by_id('plant', '2') as g$$, $$values ('{dwarf birch}'::text[], '{"source": "Flora Europaea"}'::jsonb)$$, 'and is so when it comes back');
select results_eq($$select r.aliases from api.remove_alias('plant', '2', 'dwarf birch') as r$$, $$values ('{}'::text[])$$, 'taken back, it is as the file has it');
select t.act_as_superuser();
select is((select count(*) from lookup.lookup_row as r where r.given is not null), 1::bigint, 'of rows that nobody curates nothing is kept twice');

select * from finish();
rollback;
