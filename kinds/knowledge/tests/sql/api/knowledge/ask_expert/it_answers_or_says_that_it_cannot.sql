begin;
select plan(16);

select t.make_principal('op', 'operator'), t.make_project('shop', 'alice'), t.make_project('blog', 'bob');
select t.act_as('op', 'qm_operator');
select api.load_notes(
    jsonb_build_array(
        t.note('databases/vacuum', 'Vacuum frees dead row versions for reuse.'),
        t.note('security/hashing', 'Hash passwords slowly with argon2id.', 'security')
    ), 'a digest'
);
select t.act_as('alice', 'qm_user');
select results_eq(
    $$select no_answer, passages -> 0 ->> 'note', passages -> 0 ->> 'source' from api.ask_expert('What does vacuum do with dead row versions?')$$,
    $$values (false, 'databases/vacuum', 'A book')$$, 'a question that a note answers gets it with its source'
);
select ok(
    (select passages -> 0 ->> 'text' like 'Databases/Vacuum. About%frees dead row versions%' from api.ask_expert('vacuum dead row versions')),
    'a passage can be understood alone'
);
select results_eq(
    $$select no_answer, passages from api.ask_expert('Which telescope shows the rings of Saturn?')$$, $$values (true, '[]'::jsonb)$$,
    'what no note knows gets no answer'
);
select throws_ok($$select * from api.ask_expert(' ')$$, 'QM422', 'the question is empty', 'a question without words is refused');
select ok((select a.parts ->> 'dated' = 'true' from api.ask_expert('Who ran vacuum yesterday?') as a), 'no note knows what happened yesterday');
select ok(
    (select a.parts ->> 'particular' = 'true' from api.ask_expert('Which of our tables did Rosa vacuum?') as a), 'no general note knows the tables of the asker'
);
select ok(
    (select a.parts ->> 'particular' = 'false' from api.ask_expert('Which of our tables should we vacuum?') as a), 'but it may advise on them'
);
select ok((select a.parts ->> 'particular' = 'false' from api.ask_expert('What is vacuum, and what is its cost?') as a), 'and tell what things cost');
select ok(
    (select a.parts ->> 'particular' = 'false' from api.ask_expert('The vacuum never ends. What did we do wrong?') as a), 'a complaint asks for advice'
);
select results_eq(
    $$select no_answer, expert from api.ask_expert('What does vacuum do with dead row versions?', 'security')$$, $$values (true, 'security')$$,
    'a domain is not left'
);
select is((select expert from api.ask_expert('vacuum', 'DB')), 'databases', 'a domain has several words');
select throws_ok($$select api.ask_expert('vacuum', 'cooking')$$, 'QM404', null, 'an unknown domain is an error');
select throws_ok($$select api.ask_expert(' ')$$, 'QM422', null, 'an empty question, too');
select api.put_notes(jsonb_build_array(t.note('house-rule', 'Our vacuum runs at noon on the ledger replica.')));
select is(
    (select passages -> 0 ->> 'project' from api.ask_expert('When does vacuum run on the ledger replica, at noon?')), 'shop', 'members are told the rules of their project'
);
select ok(
    (select a.parts ->> 'particular' = 'false' and not a.no_answer from api.ask_expert('When does our vacuum run on the ledger replica?') as a),
    'a note of the project knows them'
);
select t.act_as('bob', 'qm_user');
select ok(
    (select passages::text not like '%ledger%' from api.ask_expert('When does vacuum run on the ledger replica, at noon?')), 'others are not'
);

select * from finish();
rollback;
