begin;
select plan(1);

select t.make_principal('op', 'operator');
create temporary table given as select jsonb_build_array(t.note('a', 'One.'), t.note('b', 'Two.'), t.note('c', 'Three.', p_problem => 'It gives orders.')) as notes;
select knowledge.put_notes(null, g.notes) from given as g;
select knowledge.put_passages(
    null, jsonb_build_array(t.note('a', 'Four.'), t.note('b', 'Five.'), t.note('c', 'Six.')), array(select n.id from knowledge.note as n where n.name <> 'b')
);
select results_eq(
    $$select c.name, p.text, c.label, c.brief, c.origin from knowledge.passage as p inner join search.card as c on c.kind = 'passage' and c.ref = p.id order by 1$$,
    $$values ('a#1', 'Four.', 'a: about a', 'Four.', 'databases'), ('b#1', 'Two.', 'b: about b', 'Two.', 'databases')$$,
    'the note that is named has another passage, the one in quarantine has none'
);

select * from finish();
rollback;
