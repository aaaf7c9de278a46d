begin;
select plan(3);

select knowledge.put_notes(null, jsonb_build_array(t.note('a', 'One.'), t.note('b', 'Two.')));
select knowledge.remove_passages(array(select n.id from knowledge.note as n where n.name = 'a'));
select results_eq($$select p.text from knowledge.passage as p$$, '{Two.}'::text[], 'those of the other note stay');
select results_eq($$select distinct c.name from search.card as c where c.kind in ('passage', 'question')$$, '{b#1}'::text[], 'and their cards');
select is((select count(*) from knowledge.note), 2::bigint, 'the note itself stays');

select * from finish();
rollback;
