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
-- with `qm eval fit-lookup LOOKUP.csv GOLD.csv --output WEIGHTS.json`. Weights
-- that were learned for one table are stored under the table's name, and are not replaced. The
-- confidence was also learned from hard strings that the command makes from the rows.
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
  "intercept": -7.2695, "cosine": 2.0575, "query_share": 2.0824, "name_share": 1.7069,
  "trigram": 4.0765, "exact": -0.5791, "words_said": 0.3571, "words_begun": 0.3362,
  "name_words": -0.0042, "first_equal": -0.0176, "first_begun": 1.3299, "first_similar":
  0.8491, "second_similar": 0.7279, "second_equal": -0.1926, "second_near": 0.888,
  "numbers_found": 2.8291, "numbers_unsaid": 0.2024, "numbers_missing": -0.1814, "alias":
  -1.175, "evidence": 2.9117, "property_true": 2.5193, "property_false": -2.3458,
  "short_equal": 0.6159, "stem_equal": 1.1239, "begins": -0.7251, "continues": -0.2839,
  "in_name": 1.2208, "in_query": 0.7198, "first_stem": 0.1409, "second_stem": -0.1354,
  "first_unknown": -0.1002, "first_other": 0.0238, "one_word_query": 0.4113, "one_word_name":
  0.2738, "length_ratio": -0.2215, "language": 0.5, "verbatim": -0.4605, "letters_equal":
  1.1166, "initial_fits": 0.7748, "unexplained": -0.24, "initials": -0.5187, "acronym":
  1.9165, "moved_known": 0.5831, "moved_unknown": -0.5528, "moved_evidence": 1.8859,
  "moved_kin": 6.7672, "repeated": 1.7184, "both_similar": 2.2377, "short_query": -0.1261,
  "cosine_half": 0.5196, "cosine_high": -3.4765, "trigram_half": 4.008, "trigram_high":
  -6.1216, "query_share_half": 2.5046, "query_share_high": 3.0994, "name_share_half": 0.85,
  "name_share_high": 4.8854, "words_begun_half": 1.4388, "words_begun_high": 5.5551,
  "first_similar_half": 0.1627, "second_similar_half": -0.1642, "sem": 0.0, "abbreviates":
  2.5722, "in_word": -3.2468, "numbers_differ": -0.6669, "brief": 0.2887, "letters_few":
  6.9725, "first_only": 0.0406
}, "confidence": {
  "odds": 0.9919, "odds_squared": -0.035, "odds_high": -0.1585, "cosine": -3.5573,
  "query_share": -4.5616, "name_share": 5.2773, "trigram": 6.0019, "exact": 2.0125,
  "words_said": 1.5017, "words_begun": 1.1659, "name_words": -0.2768, "first_equal": -3.4755,
  "first_begun": 3.0843, "first_similar": 2.7702, "second_similar": 1.5918, "second_equal":
  -1.0052, "second_near": -0.7228, "numbers_found": 2.4644, "numbers_unsaid": 0.9822,
  "numbers_missing": 0.9912, "alias": -0.3981, "evidence": 1.5683, "property_true": 0.0,
  "property_false": 0.0, "short_equal": 0.0174, "stem_equal": -0.5189, "begins": -0.27,
  "continues": 1.6566, "in_name": 1.4674, "in_query": -5.1071, "first_stem": 1.8817,
  "second_stem": -1.8952, "first_unknown": 0.9768, "first_other": 1.3484, "one_word_query":
  4.1194, "one_word_name": 1.2486, "length_ratio": -1.0742, "language": 3.1573, "verbatim":
  1.3778, "letters_equal": 2.9313, "initial_fits": 0.7078, "unexplained": -0.4012, "initials":
  -0.3142, "acronym": 3.0829, "moved_known": 1.766, "moved_unknown": 1.077, "moved_evidence":
  0.0743, "moved_kin": -0.645, "repeated": 0.6521, "both_similar": 2.9956, "short_query":
  -6.8155, "cosine_half": -5.8321, "cosine_high": -8.1615, "trigram_half": 6.6916,
  "trigram_high": -8.6703, "query_share_half": 2.2659, "query_share_high": -1.9537,
  "name_share_half": -0.0049, "name_share_high": 2.1223, "words_begun_half": -0.1126,
  "words_begun_high": 9.7522, "first_similar_half": -2.3183, "second_similar_half": -1.8281,
  "sem": 0.0, "abbreviates": 0.2312, "in_word": -6.9731, "numbers_differ": -5.3158, "brief":
  -4.4652, "letters_few": 0.6162, "first_only": 3.0559, "intercept": -4.4
}}$json$) as p
cross join lateral jsonb_each_text(p.value) as f;
