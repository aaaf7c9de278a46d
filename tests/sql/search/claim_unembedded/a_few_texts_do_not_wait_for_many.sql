begin;
select plan(5);

select search.put_model('test-4', 4, true), t.make_kind('a_many'), t.make_kind('b_few');
create function pg_temp.put(p_kind text, p_texts text[]) returns integer language sql as $$
    select search.put_cards(p_kind, jsonb_agg(jsonb_build_object('ref', g.n, 'name', g.text, 'fields', jsonb_build_array(g.text), 'embedding_text', g.text)))
    from unnest(p_texts) with ordinality as g (text, n)
$$;
create function pg_temp.claimed(p_limit integer) returns text[] language sql as $$
    select array_agg(u.embedding_text order by u.embedding_text) from search.claim_unembedded('test-4', p_limit) as u
$$;
select pg_temp.put('a_many', array(select 'many ' || n from generate_series(1, 20) as n) || '{both}'), pg_temp.put('b_few', '{few 1,few 2,both}');
select is(pg_temp.claimed(3), '{both,few 1,few 2}', 'the kind with the fewest texts comes first, whatever its name');
select is(cardinality(pg_temp.claimed(100)), 23, 'a text of two kinds is claimed once');
select t.embed_cards('b_few', 'test-4');
select ok(pg_temp.claimed(3) && '{both,few 1,few 2}' is false, 'then the others');
select is(search.count_unembedded('a_many'), 20::bigint, 'the vector of the shared text was copied');
select pg_temp.put('b_few', '{few 1,few 2,both,few 3}');
select is(pg_temp.claimed(1), '{few 3}', 'what comes later overtakes them too');

select * from finish();
rollback;
