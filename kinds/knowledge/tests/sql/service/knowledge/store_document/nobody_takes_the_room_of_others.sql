begin;
select plan(4);

select t.make_principal('alice'), t.make_principal('bob');
update core.setting set value = '1' where name = 'documents.megabytes';
select t.at('2026-01-01 12:00 UTC');
select service.store_document('pots', '', 'Context7', 'Pots', 'u', repeat('p', 190000), null, 'alice');
select t.at('2026-01-02 12:00 UTC');
select service.store_document('flood' || n, '', 'Context7', 'Flood', 'u', repeat('f', 190000), null, 'bob') from generate_series(1, 9) as n;
select isnt((select text from service.find_document('pots', '', 'Context7')), null, 'who asks for much does not take the room of others');
select is((select count(*) from knowledge.document), 5::bigint, 'all of it together takes no more than its room');
select t.at('2026-01-03 12:00 UTC');
select service.store_document('flood10', '', 'Context7', 'Flood', 'u', repeat('f', 190000), null, 'bob');
select isnt((select text from service.find_document('flood10', '', 'Context7')), null, 'the newest of a principal is kept, and an old one of the same goes');
select service.store_document('pots', '', 'Context7', 'Pots', 'u', null, '"2"');
select is(
    (select p.name from knowledge.document as d inner join policy.principal as p on p.id = d.asked_by where d.library = 'pots'), 'alice',
    'what is fetched again still counts for whoever asked first'
);

select * from finish();
rollback;
