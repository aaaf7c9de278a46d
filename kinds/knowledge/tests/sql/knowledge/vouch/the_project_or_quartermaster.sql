begin;
select plan(3);

select t.make_project('shop', 'alice');
select knowledge.put_notes(null, jsonb_build_array(t.note('a', 'One.'), t.note('b', 'Two.') || '{"verified": false}'));
select knowledge.put_notes(p.id, jsonb_build_array(t.note('c', 'Three.'))) from projects.project as p;
select is(knowledge.vouch(n), v.said::jsonb, v.what)
from (
    values
    ('a', '{"project": null, "owner": null, "verified": true, "verified_by": "quartermaster"}', 'a note that comes with Quartermaster'),
    ('b', '{"project": null, "owner": null, "verified": false, "verified_by": null}', 'one that nobody compared with its source'),
    ('c', '{"project": "shop", "owner": "alice", "verified": false, "verified_by": "alice/shop"}', 'one of a project')
) as v (name, said, what)
inner join knowledge.note as n on n.name = v.name;

select * from finish();
rollback;
