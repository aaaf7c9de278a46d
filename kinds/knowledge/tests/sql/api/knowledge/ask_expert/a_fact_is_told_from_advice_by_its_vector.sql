begin;
select plan(7);

select t.make_principal('op', 'operator'), t.make_project('shop', 'alice');
select search.put_model('m', 2, true);
select t.act_as('op', 'qm_operator');
select api.load_notes(jsonb_build_array(t.note('databases/vacuum', 'Vacuum frees dead row versions for reuse.')), 'a digest');
select t.act_as_superuser();
select search.store_embeddings('m', array_agg(c.kind), array_agg(c.text_hash), array_agg('[0.8,0.6]'::text)) from search.card as c where c.kind in ('passage', 'question');
select t.act_as('alice', 'qm_user');
select is(
    (select (a.parts ->> 'factual')::numeric from api.ask_expert('vacuum dead row versions', query_vector => '[0.6,0.8]') as a), 0::numeric,
    'a model for which nothing was learned tells nothing'
);
select ok((select not a.no_answer from api.ask_expert('vacuum dead row versions', query_vector => '[0.6,0.8]') as a), 'the question is answered then');
select t.act_as_superuser();
update core.setting set value = '{"m": {"intercept": -1, "weights": [0, 10]}}' where name = 'knowledge.asks_fact';
update core.setting set value = jsonb_set(value, '{vector, factual}', '-3') where name = 'knowledge.confidence';
select t.act_as('alice', 'qm_user');
select is(
    (select (a.parts ->> 'factual')::numeric from api.ask_expert('vacuum dead row versions', query_vector => '[0.8,0.6]') as a), 5::numeric,
    'the part is the log odds'
);
select ok((select a.no_answer from api.ask_expert('vacuum dead row versions', query_vector => '[0.8,0.6]') as a), 'a question for a fact gets no answer');
select is(
    (select (a.parts ->> 'factual')::numeric from api.ask_expert('vacuum dead row versions', query_vector => '[0,1]') as a), 6::numeric,
    'it is at most six'
);
select is(
    (select (a.parts ->> 'factual')::numeric from api.ask_expert('vacuum dead row versions', query_vector => '[0.8,-0.6]') as a), -6::numeric,
    'a question for advice has negative log odds, at least minus six'
);
select api.put_notes(jsonb_build_array(t.note('house-rule', 'Our vacuum frees dead row versions on the ledger.')));
select is(
    (select (a.parts ->> 'factual')::numeric from api.ask_expert('vacuum dead row versions ledger', query_vector => '[0.8,0.6]') as a), 0::numeric,
    'a note of a project may know facts'
);

select * from finish();
rollback;
