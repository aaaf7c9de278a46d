begin;
select plan(2);

select t.make_project('shop', 'alice');
select t.act_as('alice');
select api.put_notes(jsonb_build_array(t.note('rules', 'Cumin goes first.')));
select t.read_as('alice');
select is(
    (select knowledge.describe_question(q.id) from knowledge.question as q where q.text = 'How about it?'),
    (select knowledge.describe_passage(p.id) || '{"question": "How about it?"}' from knowledge.passage as p), 'the passage that answers, and the question'
);
select is(knowledge.describe_question(0), null, 'a question that is gone');

select * from finish();
rollback;
