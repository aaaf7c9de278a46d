begin;
select plan(5);

select t.make_catalog();
create temporary table one as select i.id from catalog.item as i where i.name = 'create_ticket';
select is(catalog.put_phrases(o.id, '{complain about a printer,open a case,open a case}'), 2, 'two phrases') from one as o;
select is(catalog.put_phrases(o.id, '{open a case,report a fault}', 'taught'), 1, 'one is new') from one as o;
select is(catalog.put_phrases(o.id, '{open a case}'), 0, 'none is new') from one as o;
select results_eq(
    $$select r.version, r.changes, r.reason from catalog.repair as r where r.is_current$$,
    $$values (2, '{"phrases": ["complain about a printer", "open a case", "report a fault"]}'::jsonb, 'taught')$$, 'in the order in which they came'
);
select results_eq(
    $$select c.embedding_text ~ 'report a fault' from search.card as c where c.name = 'tracker__create_ticket'$$, array[true], 'searches use them'
);

select * from finish();
rollback;
