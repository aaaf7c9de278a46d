-- The features by which names of rows are scored. The header of lookup.features explains each
-- feature.
select search.put_feature_set(
    'names', 'Names, found by trigrams, words, short forms and properties', 'lookup.candidates',
    array[
        'cosine', 'query_share', 'name_share', 'trigram', 'exact', 'words_said', 'words_begun',
        'name_words', 'first_equal', 'first_begun', 'first_similar', 'second_similar',
        'second_equal', 'second_near', 'numbers_found', 'numbers_unsaid', 'numbers_missing',
        'alias', 'evidence', 'property_true', 'property_false', 'short_equal', 'stem_equal',
        'begins', 'continues', 'in_name', 'in_query', 'first_stem', 'second_stem',
        'first_unknown', 'first_other', 'one_word_query', 'one_word_name', 'length_ratio',
        'language', 'verbatim', 'letters_equal', 'initial_fits', 'unexplained', 'initials',
        'acronym', 'moved_known', 'moved_unknown', 'moved_evidence', 'moved_kin', 'repeated',
        'both_similar', 'short_query', 'cosine_half', 'cosine_high', 'trigram_half',
        'trigram_high', 'query_share_half', 'query_share_high', 'name_share_half',
        'name_share_high', 'words_begun_half', 'words_begun_high', 'first_similar_half',
        'second_similar_half', 'sem', 'abbreviates', 'in_word', 'numbers_differ', 'brief',
        'letters_few', 'first_only'
    ]
);

-- The kind for the names of rows in lookup tables.
select search.put_kind(
    'lookup', 'Names of rows in lookup tables', p_feature_set => 'names', p_index_type => 'names',
    p_keep_setting => 'lookup.keep'
);

-- The weights of the score for lookup tables. They were learned from all tables in gold_dev.csv
-- with `qm eval fit-lookup LOOKUP.csv GOLD.csv --output WEIGHTS.json --leave-table-out`. Weights
-- that were learned for one table are stored under the table's name, and are not replaced.
delete from search.coefficient
where kind = 'lookup' and profile = 'default';
insert into search.coefficient (kind, profile, part, feature, weight)
select
    'lookup' as kind,
    'default' as profile,
    p.key as part,
    f.key as feature,
    f.value::real as weight
from jsonb_each($json${"score": {
  "intercept": -6.9112, "cosine": 2.035, "query_share": 2.0331, "name_share": 1.6923, "trigram":
  4.0743, "exact": -0.6623, "words_said": 0.4165, "words_begun": 0.3219, "name_words": 0.0493,
  "first_equal": -0.0089, "first_begun": 1.6984, "first_similar": 0.8422, "second_similar": 0.7421,
  "second_equal": -0.2034, "second_near": 0.8739, "numbers_found": 3.0191, "numbers_unsaid":
  0.1382, "numbers_missing": -0.2694, "alias": -1.1627, "evidence": 2.7074, "property_true":
  2.5401, "property_false": -2.3352, "short_equal": 0.8012, "stem_equal": 0.9942, "begins":
  -0.7858, "continues": -0.2192, "in_name": 1.1923, "in_query": 0.7346, "first_stem": 0.1408,
  "second_stem": -0.1315, "first_unknown": -0.0856, "first_other": 0.0034, "one_word_query":
  0.5159, "one_word_name": 0.298, "length_ratio": -0.2388, "language": 0.5, "verbatim": 0.2393,
  "letters_equal": 1.1048, "initial_fits": 1.2093, "unexplained": -0.1831, "initials": -0.2338,
  "acronym": 2.2052, "moved_known": 0.6075, "moved_unknown": -0.5522, "moved_evidence": 1.7144,
  "moved_kin": 7.0721, "repeated": 1.7404, "both_similar": 2.2703, "short_query": -0.0943,
  "cosine_half": 0.6347, "cosine_high": -3.7827, "trigram_half": 4.0559, "trigram_high": -6.4323,
  "query_share_half": 2.4323, "query_share_high": 2.7861, "name_share_half": 0.8508,
  "name_share_high": 5.153, "words_begun_half": 1.8168, "words_begun_high": 7.6817,
  "first_similar_half": 0.1494, "second_similar_half": -0.1789, "sem": 0.0
}, "confidence": {
  "intercept": -2.901, "odds": 0.7726, "odds_squared": -0.022, "odds_high": -0.0902, "cosine":
  -2.0196, "query_share": -5.1069, "name_share": 5.6392, "trigram": 6.3359, "exact": -0.3982,
  "words_said": 2.9447, "words_begun": 0.9821, "name_words": 1.3814, "first_equal": -0.8153,
  "first_begun": 2.0132, "first_similar": 3.2644, "second_similar": 1.8369, "second_equal":
  -1.4304, "second_near": -0.668, "numbers_found": 1.2847, "numbers_unsaid": 0.6353,
  "numbers_missing": -1.7449, "alias": -0.1221, "evidence": 2.1651, "property_true": 0.0,
  "property_false": 0.0, "short_equal": -0.2847, "stem_equal": 0.3398, "begins": 0.3348,
  "continues": 0.3839, "in_name": -2.8985, "in_query": -2.6906, "first_stem": 0.4092,
  "second_stem": -1.297, "first_unknown": 0.8519, "first_other": 1.4075, "one_word_query": 3.7558,
  "one_word_name": 0.66, "length_ratio": -1.6543, "language": 1.0776, "verbatim": 1.4894,
  "letters_equal": 1.2103, "initial_fits": 1.7941, "unexplained": 1.1404, "initials": -0.3703,
  "acronym": 5.3749, "moved_known": 1.526, "moved_unknown": 1.2315, "moved_evidence": 0.2863,
  "moved_kin": 3.1045, "repeated": 0.5244, "both_similar": 2.1928, "short_query": -6.1403,
  "cosine_half": -4.3922, "cosine_high": -11.8251, "trigram_half": 1.6285, "trigram_high": -3.0795,
  "query_share_half": 4.5385, "query_share_high": 0.2684, "name_share_half": -2.0667,
  "name_share_high": 1.7193, "words_begun_half": 0.9463, "words_begun_high": -3.6404,
  "first_similar_half": -2.7069, "second_similar_half": -2.1376, "sem": 0.0
}}$json$) as p
cross join lateral jsonb_each_text(p.value) as f;
