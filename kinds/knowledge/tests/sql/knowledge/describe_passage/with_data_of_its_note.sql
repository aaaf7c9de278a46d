begin;
select plan(2);

select t.make_project('shop', 'alice'), t.make_principal('bob');
select t.at('2026-01-02 12:00 UTC'), t.act_as('alice');
select api.put_notes(jsonb_build_array(t.note('rules', 'Cumin goes first.')));
select t.act_as_superuser();
create temporary table stored as select p.id from knowledge.passage as p;
grant select on stored to public;
select t.read_as('alice');
select is(
    (select knowledge.describe_passage(s.id) from stored as s),
    '{"text": "According to the project alice/shop: Cumin goes first.", "heading": "About rules", "note": "rules", "title": "Rules",
      "domain": "databases", "source": "A book", "version": "1", "reviewed": "2026-01-01", "stale": false, "project": "shop",
      "owner": "alice", "verified": false, "verified_by": "alice/shop"}'::jsonb, 'what its note says, and who vouches for it'
);
select t.read_as('bob');
select is((select knowledge.describe_passage(s.id) from stored as s), null, 'others read nothing');

select * from finish();
rollback;
