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
  "intercept": -3.4005, "odds": 0.7829, "odds_squared": -0.0205, "odds_high": -0.0756,
  "cosine": -1.4172, "query_share": -4.2922, "name_share": 5.772, "trigram": 6.3038,
  "exact": -0.6406, "words_said": 2.0242, "words_begun": 0.6794, "name_words": 0.772,
  "first_equal": -0.2117, "first_begun": 2.861, "first_similar": 3.5469,
  "second_similar": 1.4248, "second_equal": -1.0425, "second_near": -0.0701,
  "numbers_found": 1.6134, "numbers_unsaid": 0.412, "numbers_missing": -1.9414, "alias": 3.1257,
  "evidence": 2.2911, "property_true": 0.0, "property_false": 0.0, "short_equal": -0.3311,
  "stem_equal": 0.0266, "begins": 0.351, "continues": -0.1216, "in_name": -2.8951,
  "in_query": -2.3116, "first_stem": 0.38, "second_stem": -1.1331, "first_unknown": 1.0596,
  "first_other": 2.3516, "one_word_query": 3.2782, "one_word_name": 0.6284,
  "length_ratio": -1.4258, "language": 0.8561, "verbatim": 2.0284, "letters_equal": 0.823,
  "initial_fits": 1.4922, "unexplained": 0.6565, "initials": -2.2198, "acronym": 5.607,
  "moved_known": 0.1039, "moved_unknown": 1.1032, "moved_evidence": 0.3401,
  "moved_kin": 10.4943, "repeated": 0.8554, "both_similar": 2.1233, "short_query": -3.7208,
  "cosine_half": -4.6801, "cosine_high": -11.0169, "trigram_half": 0.8514,
  "trigram_high": -1.6188, "query_share_half": 4.6963, "query_share_high": -3.8091,
  "name_share_half": -2.8831, "name_share_high": 2.2549, "words_begun_half": 1.1224,
  "words_begun_high": -1.7141, "first_similar_half": -3.1272, "second_similar_half": -2.4196
}}$json$) as p
cross join lateral jsonb_each_text(p.value) as f;
