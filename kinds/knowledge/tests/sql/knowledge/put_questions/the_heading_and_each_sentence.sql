begin;
select plan(2);

select t.make_project('shop', 'alice');
select t.act_as('alice');
select api.put_notes(jsonb_build_array(jsonb_set(t.note('a', 'One.'), '{passages,0,asked}', '"Why? Where does cumin go first?"')));
select t.act_as_superuser();
select search.remove_cards('question', array(select q.id from knowledge.question as q));
delete from knowledge.question;
select knowledge.put_questions(p.id, array(select n.id from knowledge.note as n)) from projects.project as p;
select results_eq(
    $$select q.text, c.name, c.brief from knowledge.question as q inner join search.card as c on c.kind = 'question' and c.ref = q.id order by 1$$,
    $$values ('About a', 'a#1', 'According to the project alice/shop: About a'),
        ('Where does cumin go first?', 'a#1', 'According to the project alice/shop: Where does cumin go first?')$$,
    'without what is too short, for the project'
);
select is(
    (select count(*) from search.card as c inner join projects.project as p on p.audience_id = c.audience_id where c.kind = 'question'), 2::bigint,
    'its members may see them'
);

select * from finish();
rollback;
