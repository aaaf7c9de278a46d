begin;
select plan(4);

select t.make_source('broken'), t.make_source('herb'), t.make_source('tree', true);
alter table public.broken drop column name;
select t.at('2026-01-01 12:00 UTC');
select is(
    lookup.refresh_all(), '{"refreshed": 1, "warning": "broken: the table public.broken has no column name"}', 'of a table without triggers all is read'
);
select results_eq(
    $$select l.name, l.rows, s.failure is not null from lookup.lookup_table as l inner join lookup.source as s on s.table_id = l.id order by 1$$,
    $$values ('broken', 0, true), ('herb', 2, false), ('tree', 0, false)$$, 'the reason is stored'
);
delete from lookup.source as s where s.relation = 'public.broken';
insert into lookup.source_change (table_id, key) values (t.lookup_id('tree'), '1');
select t.at('2026-01-01 12:30 UTC');
select is(lookup.refresh_all(), '{"refreshed": 1}', 'half an hour later, what was noted');
select t.at('2026-01-01 13:00 UTC');
select is(lookup.refresh_all(), '{"refreshed": 1}', 'after the hour, all of the other again');

select * from finish();
rollback;
