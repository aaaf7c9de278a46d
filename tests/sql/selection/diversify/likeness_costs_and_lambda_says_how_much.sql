begin;
select plan(9);

select t.make_kind('test_kind'), t.make_principal('alice');
select t.make_card('test_kind', i, 'card ' || i, 'text ' || i) from generate_series(1, 4) as i;
select search.put_model('test', 3, true);
select search.store_embeddings(
    'test', array_agg(c.kind), array_agg(c.text_hash), array_agg((case when c.ref <= 2 then '[1,0,0]' when c.ref = 3 then '[0,1,0]' else '[0,0,1]' end))
)
from search.card as c where c.kind = 'test_kind';
create function pg_temp.candidates() returns selection.candidate[] language sql as $$
    select array_agg((c.id, c.ref, 0, null, 0, null, null, null, 1 - c.ref * 0.1, 10, null, null, null, null, null)::selection.candidate) from search.card as c where c.kind = 'test_kind';
$$;
create function pg_temp.shown(p_lambda real, p_diverse integer, p_top integer, p_budget integer default null) returns bigint[] language sql as $$
    select array_agg(t.ref_of(d.card_id) order by d.rank) from selection.diversify(pg_temp.candidates(), p_lambda, p_diverse, p_top, p_budget) as d;
$$;
grant select on search.card to qm_user;
select throws_ok($$select t.read_as(null), pg_temp.shown(0.3, 2, 2)$$, 'QM403', null, 'nobody is shown nothing');
select t.read_as('alice');
select is(pg_temp.shown(0, 3, 3), '{1, 2, 3}', 'lambda 0 is relevance only');
select is(pg_temp.shown(0.3, 3, 3), '{1, 3, 4}', 'the double of the first makes room for others');
select is(pg_temp.shown(0.3, 4, 4), '{1, 3, 4, 2}', 'and comes last');
select is(pg_temp.shown(0.05, 3, 3), '{1, 2, 3}', 'little lambda, little cost');
select is(pg_temp.shown(0.3, 2, 4), '{1, 3, 2, 4}', 'after the diverse ones the rest by value');
select is(pg_temp.shown(0.3, 10, 10), '{1, 3, 4, 2}', 'no more than there are');
select is(pg_temp.shown(0.3, 0, 2), '{1, 2}', 'none by diversity');
select results_eq(
    $$select round(d.redundancy::numeric, 3), t.ref_of(d.nearest) from selection.diversify(pg_temp.candidates(), 0.3, 4, 4) as d order by d.rank$$,
    $$values (0.000, null::bigint), (0.000, null), (0.000, null), (1.000, 1)$$, 'how like and like which'
);

select * from finish();
rollback;
