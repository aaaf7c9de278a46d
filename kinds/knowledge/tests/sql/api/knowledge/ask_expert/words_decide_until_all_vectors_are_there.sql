begin;
select plan(5);

select t.make_principal('op', 'operator'), t.make_principal('alice');
select search.put_model('m', 2, true);
select t.act_as('op', 'qm_operator');
select api.load_notes(
    jsonb_build_array(
        t.note('databases/vacuum', 'Vacuum frees dead row versions for reuse.'),
        t.note('security/hashing', 'Hash passwords slowly with argon2id.', 'security')
    ), 'a digest'
);
select t.act_as_superuser();
update core.setting set value = '{"m": {"intercept": 0, "weights": [0, 0]}}' where name = 'knowledge.asks_fact';
create function pg_temp.embed(p_origin text) returns integer language sql as $$
    select search.store_embeddings('m', array_agg(c.kind), array_agg(c.text_hash), array_agg('[0.8,0.6]'::text))
    from search.card as c
    where c.kind in ('passage', 'question') and c.origin = p_origin
$$;
select pg_temp.embed('security');
select t.act_as('alice', 'qm_user');
select results_eq(
    $$select a.passages -> 0 ->> 'note', a.no_answer from api.ask_expert('Which vacuum frees dead row versions?', query_vector => '[1,0]') as a$$,
    $$values ('databases/vacuum', false)$$,
    'a passage whose vector is still missing does not lose against one that is about something else'
);
select is(
    (select (a.parts ->> 'similar')::numeric from api.ask_expert('Which vacuum frees dead row versions?', query_vector => '[1,0]') as a), 0.45,
    'no similarity is known then'
);
select t.act_as_superuser();
select pg_temp.embed('databases');
select t.act_as('alice', 'qm_user');
select is(
    (select (a.parts ->> 'similar')::numeric from api.ask_expert('Which vacuum frees dead row versions?', query_vector => '[1,0]') as a), 0.8,
    'when all vectors are there, they count'
);
select is(
    (select (a.parts ->> 'similar')::numeric from api.ask_expert('Which vacuum frees dead row versions?', query_vector => '[-1,0]') as a), 0::numeric,
    'what is unlike every passage stays so'
);
select ok(
    (select a.no_answer from api.ask_expert('Which vacuum frees dead row versions?', query_vector => '[-1,0]') as a), 'and gets no answer'
);

select * from finish();
rollback;
