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
  "intercept": -7.2745, "cosine": 2.0654, "query_share": 2.084, "name_share": 1.7123, "trigram":
  4.0825, "exact": -0.5762, "words_said": 0.348, "words_begun": 0.3301, "name_words": 0.004,
  "first_equal": -0.0198, "first_begun": 1.3375, "first_similar": 0.8458, "second_similar":
  0.7263, "second_equal": -0.1943, "second_near": 0.8854, "numbers_found": 2.8575,
  "numbers_unsaid": 0.1842, "numbers_missing": -0.1714, "alias": -1.1768, "evidence": 2.9135,
  "property_true": 2.5185, "property_false": -2.3477, "short_equal": 0.617, "stem_equal":
  1.1236, "begins": -0.7181, "continues": -0.2809, "in_name": 1.2255, "in_query": 0.7189,
  "first_stem": 0.1391, "second_stem": -0.1378, "first_unknown": -0.0968, "first_other": 0.0224,
  "one_word_query": 0.4106, "one_word_name": 0.2763, "length_ratio": -0.2214, "language": 0.5,
  "verbatim": -0.4563, "letters_equal": 1.1149, "initial_fits": 0.7776, "unexplained": -0.2423,
  "initials": -0.5258, "acronym": 1.9179, "moved_known": 0.5847, "moved_unknown": -0.548,
  "moved_evidence": 1.884, "moved_kin": 6.8025, "repeated": 1.7295, "both_similar": 2.2257,
  "short_query": -0.1312, "cosine_half": 0.5284, "cosine_high": -3.4935, "trigram_half": 4.0221,
  "trigram_high": -6.12, "query_share_half": 2.5117, "query_share_high": 3.056,
  "name_share_half": 0.8318, "name_share_high": 4.878, "words_begun_half": 1.4358,
  "words_begun_high": 5.5291, "first_similar_half": 0.1586, "second_similar_half": -0.1679,
  "sem": 0.0, "abbreviates": 2.5671, "in_word": -3.2439, "numbers_differ": -0.7172, "brief":
  0.2889, "letters_few": 6.9868, "first_only": 0.0386
}, "confidence": {
  "odds": 0.9743, "odds_squared": -0.0286, "odds_high": -0.278, "cosine": -1.8228,
  "query_share": -4.9764, "name_share": 5.3116, "trigram": 5.1383, "exact": 2.0772,
  "words_said": 1.3807, "words_begun": 1.2246, "name_words": 0.4355, "first_equal": -3.0321,
  "first_begun": 2.0326, "first_similar": 2.7136, "second_similar": 1.0964, "second_equal":
  -1.3315, "second_near": -0.7577, "numbers_found": 2.3227, "numbers_unsaid": 0.689,
  "numbers_missing": 0.4905, "alias": -1.1237, "evidence": 1.1275, "property_true": 0.0,
  "property_false": 0.0, "short_equal": -0.1314, "stem_equal": -0.2346, "begins": 0.0368,
  "continues": 1.6216, "in_name": 0.6796, "in_query": -5.3602, "first_stem": 1.4067,
  "second_stem": -1.1871, "first_unknown": 0.8211, "first_other": 1.0695, "one_word_query":
  3.1034, "one_word_name": 1.2326, "length_ratio": -1.0275, "language": 2.0368, "verbatim":
  1.0757, "letters_equal": 2.8501, "initial_fits": 1.4115, "unexplained": -0.0718, "initials":
  -0.7099, "acronym": 2.3629, "moved_known": 1.3854, "moved_unknown": 0.9049, "moved_evidence":
  0.1229, "moved_kin": -0.4561, "repeated": 0.3132, "both_similar": 2.5456, "short_query":
  -6.0464, "cosine_half": -3.6938, "cosine_high": -7.0946, "trigram_half": 4.302,
  "trigram_high": -8.4468, "query_share_half": 2.0311, "query_share_high": -3.0328,
  "name_share_half": -1.4647, "name_share_high": 0.66, "words_begun_half": 0.1893,
  "words_begun_high": 10.2988, "first_similar_half": -1.3857, "second_similar_half": -1.2114,
  "sem": 0.0, "abbreviates": -0.5482, "in_word": -5.8971, "numbers_differ": -5.1817, "brief":
  -3.6869, "letters_few": -0.5159, "first_only": 1.1009, "intercept": -2.9907
}}$json$) as p
cross join lateral jsonb_each_text(p.value) as f;
