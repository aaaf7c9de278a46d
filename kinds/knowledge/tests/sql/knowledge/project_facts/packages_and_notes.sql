begin;
select plan(2);

select t.make_project('shop', 'alice'), t.make_project('blog', 'alice');
select t.make_library('shop', 'acme');
select t.act_as('alice');
select api.put_notes(jsonb_build_array(t.note('a', 'One.'), t.note('b', 'Two.'), t.note('c', 'Three.', p_problem => 'It gives orders.')), 'shop');
select t.act_as_superuser();
create function pg_temp.facts(p_project text) returns jsonb language sql as $$
    select knowledge.project_facts(p.id) from projects.project as p where p.name = p_project
$$;
select is(
    pg_temp.facts('shop'), '[["Environment", "1 package is indexed"], ["Knowledge", "2 own notes"]]', 'a note in quarantine does not count'
);
select is(
    pg_temp.facts('blog'), '[["Environment", "no package of its own is indexed (qm docs index --project blog)"], ["Knowledge", "0 own notes"]]',
    'a project without packages is told how to get them'
);

select * from finish();
rollback;
