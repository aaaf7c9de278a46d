begin;
select plan(4);

select t.make_catalog(), t.make_principal('op', 'operator'), t.make_project('shop', 'alice');
update core.setting set value = '100000' where name = 'task.time_ms';
update core.setting set value = '0' where name = 'task.note_floor';
select search.put_model('m', 2, true);
select t.act_as('op', 'qm_operator');
select api.load_notes(jsonb_build_array(t.note('databases/vacuum', 'Vacuum frees dead row versions for reuse.')), 'a digest');
select t.act_as('alice', 'qm_user');
select api.put_notes(jsonb_build_array(t.note('house-rule', 'Our rows are sorted by date.')));
select t.act_as_superuser();
select search.store_embeddings('m', array_agg(c.kind), array_agg(c.text_hash), array_agg('[0.8,0.6]'::text)) from search.card as c where c.kind in ('passage', 'question');
create function pg_temp.notes(p_vector text) returns text language sql as $$
    select string_agg(s.name || coalesce(' of ' || s.note_of, ''), ', ' order by s.name)
    from api.start_task('vacuum dead row versions', query_vector => p_vector::ext.vector, project => null) as s
    where s.part = 'note'
$$;

select t.act_as('op', 'qm_operator');
select is(pg_temp.notes('[0.8,0.6]'), 'databases/vacuum', 'a note that fits');
select t.act_as('alice', 'qm_user');
select is(pg_temp.notes('[0.8,0.6]'), 'databases/vacuum, house-rule of alice/shop', 'a note of a project says whose it is');
-- The expert takes the vector for a question about a fact, which no general note knows.
select t.act_as_superuser();
update core.setting set value = '{"m": {"intercept": -1, "weights": [0, 10]}}' where name = 'knowledge.asks_fact';
update core.setting set value = jsonb_set(value, '{vector, factual}', '-3') where name = 'knowledge.confidence';
select t.act_as('op', 'qm_operator');
select ok((select a.no_answer from api.ask_expert('vacuum dead row versions', query_vector => '[0.8,0.6]') as a), 'the expert is silent');
select is(pg_temp.notes('[0.8,0.6]'), null, 'so no note is offered');

select * from finish();
rollback;
