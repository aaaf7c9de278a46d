begin;
select plan(3);

select t.make_project('shop', 'alice'), t.make_library('shop', 'acme', '2.5.1');
select t.at('2026-01-05 12:00 UTC'), t.act_as('alice');
select api.put_notes(jsonb_build_array(t.note('rules', 'Cumin goes first.') || '{"cites": ["acme 2.5"]}'));
select t.act_as_superuser();
update core.setting set value = '10' where name = 'knowledge.fresh_for';
select is(knowledge.is_stale(n), false, 'its review was days ago') from knowledge.note as n;
select t.at('2026-01-12 12:00 UTC');
select is(knowledge.is_stale(n), true, 'it was longer ago than the setting allows') from knowledge.note as n;
select t.at('2026-01-05 12:00 UTC');
update knowledge.distribution as d set version = '2.6.0';
select is(knowledge.is_stale(n), true, 'the library that it cites has another version') from knowledge.note as n;

select * from finish();
rollback;
