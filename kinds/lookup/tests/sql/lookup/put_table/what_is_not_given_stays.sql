begin;
select plan(3);

create temporary table made as select lookup.put_table('animal', 'Mammals of Europe', 'zoology') as id;
select is((select lookup.put_table('animal', null, null) from made), (select m.id from made as m), 'the same table');
select results_eq($$select l.description, l.domain from lookup.lookup_table as l where l.name = 'animal'$$, $$values ('Mammals of Europe', 'zoology')$$, 'as it was described');
select lookup.put_table('animal', 'Mammals', null);
select results_eq(
    $$select c.name, c.origin, c.brief, c.embedding_text from search.card as c inner join made as m on c.kind = 'lookup_table' and c.ref = m.id$$,
    $$values ('animal', 'animal', 'Mammals', 'animal zoology Mammals')$$, 'its card follows'
);

select * from finish();
rollback;
