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
-- evaluation (docs/lab/knowledge.md), under no model: they hold for every model. The weight of "outdated" was not
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
  "intercept": -10.0221, "words": 2.4697, "words_rank": 0.8896, "named": -1.1803,
  "near": 7.1284, "near_gap": 6.0523, "near_rank": 1.0997, "owner_near": 0.5948,
  "member_near": 1.8098, "async_asked": 2.1249, "async_unasked": -1.9959, "error_asked": 2.6968,
  "error_unasked": -1.6171, "mentioned": 0.5531, "exported": 0.9264, "depth": -1.0002,
  "documented": -0.6, "length": 0.3163, "has_paths": 0.0564, "outdated": -2.0,
  "is_class": -0.3416, "is_function": 0.505, "is_method": 0.5936, "is_property": -1.057,
  "is_attribute": 0.0466, "is_module": -3.2967, "is_error": -1.4107, "has_parameters": 1.2368
}$json$) as f;
