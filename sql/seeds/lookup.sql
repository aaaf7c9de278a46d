-- The kinds of card. Names of rows are indexed by search.put_names, which needs no index over labels
-- and weighs by itself: no search.put_kind.
select search.put_kind('lookup_table', 'Lookup tables, to whose rows strings can be matched');
insert into search.kind (name, description, k1, b, weighed_length)
values ('lookup', 'Names of rows of lookup tables', 0, 0, 1)
on conflict (name) do update
    set description = excluded.description, weighed_length = 1;
select search.create_vector_indexes();

-- The learned score of lookup tables, learned over all tables of gold_dev.csv by
-- `qm eval fit-lookup LOOKUP.csv GOLD.csv --output WEIGHTS.json --leave-table-out`.
-- Weights learned for a table of one's own have its name as profile, and stay.
delete from lookup.coefficient
where profile = 'default';
insert into lookup.coefficient (profile, part, feature, weight)
select
    'default' as profile,
    p.key as part,
    f.key as feature,
    f.value::real as weight
from jsonb_each($json${"score": {
  "intercept": -6.9113, "cosine": 2.0351, "query_share": 2.0332, "name_share": 1.6923,
  "trigram": 4.0744, "exact": -0.6623, "words_said": 0.4165, "words_begun": 0.3219,
  "name_words": 0.0493, "first_equal": -0.0089, "first_begun": 1.6985, "first_similar": 0.8422,
  "second_similar": 0.7421, "second_equal": -0.2034, "second_near": 0.8739,
  "numbers_found": 3.0191, "numbers_unsaid": 0.1382, "numbers_missing": -0.2694,
  "alias": -1.1628, "evidence": 2.7073, "property_true": 2.5401, "property_false": -2.3352,
  "short_equal": 0.8009, "stem_equal": 0.9942, "begins": -0.7859, "continues": -0.2192,
  "in_name": 1.1923, "in_query": 0.7346, "first_stem": 0.1408, "second_stem": -0.1315,
  "first_unknown": -0.0856, "first_other": 0.0033, "one_word_query": 0.5159,
  "one_word_name": 0.298, "length_ratio": -0.2388, "language": 0.5, "verbatim": 0.2394,
  "letters_equal": 1.1047, "initial_fits": 1.2094, "unexplained": -0.1831, "initials": -0.2338,
  "acronym": 2.2052, "moved_known": 0.6076, "moved_unknown": -0.5522, "moved_evidence": 1.7144,
  "moved_kin": 7.072, "repeated": 1.7404, "both_similar": 2.2704, "short_query": -0.0941,
  "cosine_half": 0.6346, "cosine_high": -3.7827, "trigram_half": 4.0559,
  "trigram_high": -6.4324, "query_share_half": 2.4322, "query_share_high": 2.786,
  "name_share_half": 0.8507, "name_share_high": 5.1529, "words_begun_half": 1.8168,
  "words_begun_high": 7.6822, "first_similar_half": 0.1492, "second_similar_half": -0.1789
}, "confidence": {
  "intercept": -2.9006, "odds": 0.7726, "odds_squared": -0.022, "odds_high": -0.0902,
  "cosine": -2.0194, "query_share": -5.1071, "name_share": 5.6395, "trigram": 6.336,
  "exact": -0.3982, "words_said": 2.9447, "words_begun": 0.9817, "name_words": 1.3813,
  "first_equal": -0.8155, "first_begun": 2.0128, "first_similar": 3.2647,
  "second_similar": 1.8369, "second_equal": -1.4304, "second_near": -0.668,
  "numbers_found": 1.2842, "numbers_unsaid": 0.6353, "numbers_missing": -1.7449,
  "alias": -0.1222, "evidence": 2.1645, "property_true": 0.0, "property_false": 0.0,
  "short_equal": -0.2843, "stem_equal": 0.3397, "begins": 0.3345, "continues": 0.3838,
  "in_name": -2.8989, "in_query": -2.6905, "first_stem": 0.4092, "second_stem": -1.2963,
  "first_unknown": 0.8519, "first_other": 1.4072, "one_word_query": 3.7557,
  "one_word_name": 0.66, "length_ratio": -1.6545, "language": 1.0778, "verbatim": 1.4892,
  "letters_equal": 1.2102, "initial_fits": 1.794, "unexplained": 1.1399, "initials": -0.3693,
  "acronym": 5.3737, "moved_known": 1.5251, "moved_unknown": 1.2304, "moved_evidence": 0.2865,
  "moved_kin": 3.1044, "repeated": 0.5241, "both_similar": 2.1922, "short_query": -6.1398,
  "cosine_half": -4.3927, "cosine_high": -11.8238, "trigram_half": 1.6283,
  "trigram_high": -3.0799, "query_share_half": 4.5387, "query_share_high": 0.2704,
  "name_share_half": -2.0669, "name_share_high": 1.7193, "words_begun_half": 0.9457,
  "words_begun_high": -3.6407, "first_similar_half": -2.7072, "second_similar_half": -2.1373
}}$json$) as p
cross join lateral jsonb_each_text(p.value) as f;
