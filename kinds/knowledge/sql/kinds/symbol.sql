-- Symbols: objects of installed packages. If the question names a library, all its objects are scored
-- (knowledge.symbol_candidates).
select search.put_feature_set(
    'symbols', 'Words, vectors and importance of the objects of a library',
    'knowledge.symbol_candidates',
    array[
        'words', 'words_rank', 'named', 'near', 'near_gap', 'near_rank', 'owner_near',
        'member_near', 'async_asked', 'async_unasked', 'error_asked', 'error_unasked',
        'mentioned', 'exported', 'depth', 'documented', 'length', 'has_paths', 'outdated',
        'is_class', 'is_function', 'is_method', 'is_property', 'is_attribute', 'is_module',
        'is_error', 'has_parameters'
    ]
);

select search.put_kind(
    'symbol', 'Objects of installed packages', p_field_weights => '{2, 1, 0.6, 0.5}',
    p_fields => '{name, documentation, parameters, code}', p_feature_set => 'symbols',
    p_describe_function => 'knowledge.describe_symbol', p_naming => 'own'
);

-- The weights of the score. They were learned from questions about packages other than those of the
-- evaluation (kinds/knowledge/docs/measured.md), under no model: they hold for every model. The weight of "outdated" was not
-- learned, because no question is about what is outdated.
delete from search.coefficient
where kind = 'symbol' and profile = 'default';
insert into search.coefficient (kind, profile, part, feature, weight)
select
    'symbol' as kind,
    'default' as profile,
    'score' as part,
    f.key as feature,
    f.value::real as weight
from jsonb_each_text($json${
  "intercept": -8.7004, "words": 2.4616, "words_rank": 1.7033, "named": -2.2497,
  "near": 6.8352, "near_gap": 5.7099, "near_rank": 1.4119, "owner_near": 0.2294,
  "member_near": 1.6283, "async_asked": 0.3025, "async_unasked": -2.7211, "error_asked": 2.2487,
  "error_unasked": 0.3138, "mentioned": 0.3859, "exported": 0.3552, "depth": -0.8013,
  "documented": -0.5987, "length": 0.3087, "has_paths": -0.3159, "outdated": -2.0,
  "is_class": 0.0572, "is_function": 0.5949, "is_method": 0.7211, "is_property": 0.0033,
  "is_attribute": -0.9622, "is_module": -3.7912, "is_error": -0.1889, "has_parameters": 0.3449
}$json$) as f;

select selection.put_task_part(
    'symbol', 60, 'knowledge.task_symbols', p_is_ranked => true, p_kinds => '{symbol}',
    p_floor_setting => 'task.symbol_floor', p_best_setting => 'task.best_symbol'
);

-- While the folder was hidden, no trigger has seen which projects and members went.
select knowledge.leave_environments(array(select d.id from knowledge.distribution as d))
where core.is_hidden('knowledge');
