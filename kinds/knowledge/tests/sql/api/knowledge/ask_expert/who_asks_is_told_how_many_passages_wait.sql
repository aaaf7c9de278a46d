begin;
select plan(8);

select t.make_principal('op', 'operator'), t.make_principal('alice'), t.make_project('shop', 'bob');
select search.put_model('m', 2, true);
select t.act_as('op', 'qm_operator');
select api.load_notes(
    jsonb_build_array(
        t.note('databases/vacuum', 'Vacuum frees dead row versions for reuse.'),
        t.note('databases/index', 'An index speeds up reading.'),
        t.note('security/hashing', 'Hash passwords slowly with argon2id.', 'security')
    ), 'a digest'
);
select t.act_as('bob', 'qm_user');
select api.put_notes(jsonb_build_array(t.note('ours', 'Vacuum at night.')), 'shop');
create function pg_temp.asked(p_domain text default null) returns bigint language sql as $$
    select a.waiting from api.ask_expert('Which vacuum frees dead row versions?', p_domain, query_vector => '[1,0]') as a
$$;
create function pg_temp.listed(p_domain text) returns bigint language sql as $$
    select e.waiting from api.list_experts() as e where e.domain = p_domain
$$;
select is(pg_temp.asked(), 4::bigint, 'all passages wait');
select t.act_as('alice', 'qm_user');
select is(pg_temp.asked(), 3::bigint, 'those that the caller may read are counted');
select is(pg_temp.asked('security'), 1::bigint, 'or those of the domain');
select results_eq($$select pg_temp.listed('databases'), pg_temp.listed('security')$$, $$values (2::bigint, 1::bigint)$$, 'the list of experts says the same');
select is(
    (select a.waiting from api.ask_expert('Which vacuum frees dead row versions?') as a), 0::bigint, 'a question without a vector waits for nothing'
);
select t.act_as_superuser();
select search.store_embeddings('m', array_agg(c.kind), array_agg(c.text_hash), array_agg('[0.8,0.6]'::text))
from search.card as c
where c.kind = 'passage';
select t.act_as('alice', 'qm_user');
select is(pg_temp.asked('security'), 1::bigint, 'a passage waits until its questions have vectors too');
select t.act_as_superuser();
select search.store_embeddings('m', array_agg(c.kind), array_agg(c.text_hash), array_agg('[0.8,0.6]'::text))
from search.card as c
where c.kind = 'question' and c.origin = 'security';
select t.act_as('alice', 'qm_user');
select is(pg_temp.asked('security'), 0::bigint, 'nothing waits in one domain');
select is(pg_temp.listed('security'), 0::bigint, 'which the list says as well');

select * from finish();
rollback;
