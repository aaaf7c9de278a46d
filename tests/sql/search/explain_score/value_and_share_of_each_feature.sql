begin;
select plan(5);

delete from search.coefficient;
select search.put_model('test-4', 4, true);
select is(
    search.explain_score('tool', '{0.5, 1}', '{1, 1, 1}') -> 'lexical_relative', '{"value": 0.5}'::jsonb, 'no share where nothing was learned'
);
insert into search.coefficient (kind, profile, part, feature, weight) values ('tool', 'test-4', 'score', 'lexical_relative', 3);
select is(search.explain_score('tool', '{0.5, 1}', '{1, 1, 1}') -> 'lexical_relative', '{"value": 0.5, "share": 1.5}'::jsonb, 'value times weight');
select is(
    search.explain_score('tool', '{0.5, 1}', '{0, 1, 1}') -> 'lexical_relative', '{"value": 0.5, "share": 0}'::jsonb, 'a silenced channel has no share'
);
select set_eq(
    $$
        select jsonb_object_keys(
            search.explain_score('tool', (select array_agg(0) from unnest(search.feature_names('tool')) as n), '{1, 1, 1}')
        )
    $$,
    $$select unnest(search.feature_names('tool'))$$, 'every feature by its name'
);
insert into search.coefficient (kind, profile, part, feature, weight) values ('tool', 'test-4', 'large', 'lexical_relative', 8);
select is(
    search.explain_score('tool', '{0.5, 1}', '{1, 1, 1}', p_goal => repeat('word ', 40)) -> 'lexical_relative',
    '{"value": 0.5, "share": 4}'::jsonb, 'by the weights for a long goal'
);

select * from finish();
rollback;
