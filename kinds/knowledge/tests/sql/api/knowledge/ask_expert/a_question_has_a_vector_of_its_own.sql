begin;
select plan(10);

select t.make_principal('op', 'operator'), t.make_principal('alice');
select search.put_model('m', 7, true);
select t.act_as('op', 'qm_operator');
select api.load_notes(
    jsonb_build_array(
        jsonb_set(
            t.note('databases/vacuum', 'Vacuum frees dead row versions for reuse.'),
            '{passages,0,asked}', '"Why? The disk is full although we delete. Our table only ever grows."'
        ),
        t.note('security/hashing', 'Hash passwords slowly with argon2id.', 'security')
    ), 'a digest'
);
select t.act_as_superuser();
select results_eq(
    $$select text from knowledge.question order by id$$,
    $$values ('About databases/vacuum'), ('Our table only ever grows.'), ('The disk is full although we delete.'), ('About security/hashing'), ('How about it?')$$,
    'the heading is a question, and so is each sentence, unless it is too short to mean anything'
);
-- The passages lie in one direction, and each question in another.
select search.store_embeddings(
    'm', array_agg(c.kind), array_agg(c.text_hash),
    array_agg(
        case
            when c.kind = 'passage' then '[1,0,0,0,0,0,0]' when c.embedding_text like 'The disk%' then '[0,1,0,0,0,0,0]'
            when c.embedding_text like 'Our table%' then '[0,0,1,0,0,0,0]' when c.embedding_text like 'How%' then '[0,0,0,1,0,0,0]'
            when c.embedding_text like '%vacuum' then '[0,0,0,0,1,0,0]' else '[0,0,0,0,0,1,0]'
        end
    )
)
from search.card as c
where c.kind in ('passage', 'question');
select t.act_as('alice', 'qm_user');
select is(
    (select a.expert from api.ask_expert('qqq', query_vector => '[0,1,0,0,0,0,0]') as a), 'databases', 'a passage is found by the meaning of one of its questions'
);
select is(
    (select a.expert from api.ask_expert('qqq', query_vector => '[0,0,0,1,0,0,0]') as a), 'security', 'each has its own questions'
);
select is(
    (select a.expert from api.ask_expert('qqq', query_vector => '[0,0,0,0,1,0,0]') as a), 'databases', 'the meaning of the heading counts, too'
);
select is(
    (select (a.parts ->> 'similar')::numeric from api.ask_expert('qqq', query_vector => '[0,0,1,0,0,0,0]') as a), 0.5,
    'its meaning is the mean of its own and that of its nearest question'
);
select is(
    (select (a.parts ->> 'similar')::numeric from api.ask_expert('qqq', query_vector => '[0,0,0,0,0,0,1, 0,0,1,0,0,0,0, 0,0,0,0,0,0,1]') as a), 0.25,
    'a question in several sentences counts half as a whole and half by its best sentence'
);
select is(
    (select a.expert from api.ask_expert('qqq', query_vector => '[0,0,0,0,0,0,1, 0,0,0,1,0,0,0, 0,0,0,0,0,0,1]') as a), 'security',
    'so the sentence that asks finds the passage'
);
select is(
    (select (api.describe_card('question', d.name)) ->> 'question' from (select 'databases/vacuum#1' as name) as d), 'About databases/vacuum',
    'a question can be described'
);
select t.act_as('op', 'qm_operator');
select api.load_notes('[]', 'another digest');
select t.act_as_superuser();
select is_empty($$select from search.card as c where c.kind in ('passage', 'question')$$, 'a note goes with the cards of its questions');
select is_empty($$select from knowledge.question$$, 'and with their rows');

select * from finish();
rollback;
