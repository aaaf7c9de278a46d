begin;
select plan(4);

select t.make_kind('mixed');
select t.make_card('mixed', 1, 'word card', 'apple');
select t.make_card('mixed', 2, 'vector card', 'pear');
select search.put_model('test-4', 4, true);
select t.embed_cards('mixed', 'test-4');
insert into search.coefficient (kind, profile, part, feature, weight)
values
('mixed', 'test-4', 'score', 'lexical_relative', 3), ('mixed', 'test-4', 'score', 'dense', 2), ('mixed', 'test-4', 'score', 'intercept', -1);
create function pg_temp.scores(p_weights real[], p_query text default 'apple') returns numeric[] language sql as $$
    select array_agg(round(s.score::numeric, 4) order by t.ref_of(s.card_id))
    from search.search('mixed', p_query, t.unit_vector(4, 2), 5, 5, 0, 40, p_weights, 'learned') as s;
$$;
select isnt(pg_temp.scores('{1, 1, 0}'), pg_temp.scores('{0, 1, 0}'), 'words count');
select is(pg_temp.scores('{0, 1, 0}'), pg_temp.scores('{0, 1, 0}', 'quince'), 'without them it is as if the goal had others');
select is(pg_temp.scores('{1, 0, 0}'), array[0.8808, 0.2689], 'without vectors words alone: 1 / (1 + exp(-2)) and 1 / (1 + exp(1))');
select is(pg_temp.scores('{0, 0, 0}'), array[0.2689, 0.2689], 'without both none is better than another');

select * from finish();
rollback;
