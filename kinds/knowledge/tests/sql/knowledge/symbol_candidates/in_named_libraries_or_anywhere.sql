begin;
select plan(5);

select t.make_project('shop', 'alice'), t.make_principal('bob');
select t.make_library('shop', 'acme'), t.make_library('shop', 'both', p_passage => 'Weighs a letter.');
create function pg_temp.found(p_member text default null, p_library text default null) returns text language sql security definer as $$
    select string_agg(t.name_of(c.card_id) || ' ' || array_to_string(c.sources, '+'), ', ' order by c.card_id)
    from (select case when p_member is null then '{}' else jsonb_build_object(p_member, array(select d.id from knowledge.distribution as d where d.name = p_library)) end) as s (scope)
    cross join lateral knowledge.symbol_candidates(row('symbol', 'letter', null, 10, 10, 0, 40, s.scope)::search.goal) as c
$$;
select t.act_as('alice');
select is(pg_temp.found(), 'both.send lexical', 'what the words find');
select is(pg_temp.found('distributions', 'acme'), 'acme.send lexical', 'every object of the libraries that are named');
select is(pg_temp.found('among', 'acme'), null, 'of what is found, that in the libraries that are named');
select t.act_as('bob');
select is(pg_temp.found('distributions', 'acme'), null, 'others see none of them');
select t.act_as_superuser();
select throws_ok($$select knowledge.symbol_candidates(row('symbol', 'x', null, 10, 10, 0, 40, '{"among": 5}')::search.goal)$$, 'QM422', null, 'libraries are an array');

select * from finish();
rollback;
