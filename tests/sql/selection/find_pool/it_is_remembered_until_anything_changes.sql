begin;
select plan(12);

select t.make_catalog(), t.make_principal('alice'), t.make_principal('bob');
create function pg_temp.is_cached(p_goal text default 'ticket', p_mode text default 'fast', p_vector ext.vector default null, p_scope jsonb default '{}') returns boolean language sql as $$
    select f.is_cached from selection.find_pool('tool', p_goal, p_vector, selection.require_mode(p_mode), p_scope) as f;
$$;
select throws_ok($$select t.read_as(null), pg_temp.is_cached()$$, 'QM403', null, 'nobody finds nothing');
select t.read_as('alice');
select is(pg_temp.is_cached(), false, 'the first time it is searched for');
select is(pg_temp.is_cached(), true, 'then remembered');
select results_eq(
    $$select f.cards from selection.find_pool('tool', 'ticket', null, selection.require_mode('fast'), '{}') as f$$,
    $$select array_agg(s order by s.score desc, s.card_id)
    from selection.mode as m
    cross join lateral search.search(
        'tool', 'ticket', null, m.lexical, m.dense, m.fuzzy, m.ef_search, array[m.weight_lexical, m.weight_dense, m.weight_fuzzy], m.scoring
    ) as s where m.name = 'fast'$$, 'as it was found'
);
select is(array[pg_temp.is_cached('tickets'), pg_temp.is_cached('ticket', 'balanced'), pg_temp.is_cached('ticket', 'fast', '[1]')], '{f, f, f}', 'another goal, profile or vector is another pool');
select is(pg_temp.is_cached(p_scope => '{"among": [1]}'), false, 'and so is another scope');
select t.read_as('bob');
select is(pg_temp.is_cached(), false, 'and so is another principal''s');
select t.act_as_superuser();
select t.make_tool('tracker', 'close_ticket');
select t.read_as('bob');
select is(pg_temp.is_cached(), false, 'a new card');
select t.act_as_superuser();
select t.make_principal('carol');
select t.read_as('bob');
select is(pg_temp.is_cached(), false, 'changed principals');
select is(pg_temp.is_cached(), true, 'then remembered again');
select t.at(now() + interval '2 minutes');
select is(pg_temp.is_cached(), false, 'not for long');
select t.act_as_superuser();
update core.setting set value = '"0"' where name = 'pool.ttl';
select t.read_as('alice');
select pg_temp.is_cached('never');
select is(pg_temp.is_cached('never'), false, 'nor at all where the setting says so');

select * from finish();
rollback;
