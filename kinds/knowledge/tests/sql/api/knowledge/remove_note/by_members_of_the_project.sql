begin;
select plan(4);

select t.make_project('shop', 'alice'), t.make_project('desk', 'bob');
select t.act_as('alice');
select api.put_notes(jsonb_build_array(t.note('a', 'One.'), t.note('b', 'Two.')));
select t.act_as('bob');
select throws_ok($$select api.remove_note('a', 'alice/shop')$$, 'QM404', null, 'others remove nothing');
select throws_ok($$select api.remove_note('a')$$, 'QM404', 'the project has no note called ''a''', 'their own project has no such note');
select t.act_as('alice');
select api.remove_note('a');
select t.act_as_superuser();
select results_eq($$select n.name from knowledge.note as n$$, '{b}'::text[], 'a member does');
select results_eq($$select distinct c.name from search.card as c where c.kind in ('passage', 'question')$$, '{b#1}'::text[], 'its cards go, too');

select * from finish();
rollback;
