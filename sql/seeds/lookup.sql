-- The kinds of card. Names of rows are indexed by search.put_names, which needs no index over labels
-- and weighs by itself: no search.put_kind.
select search.put_kind('lookup_table', 'Lookup tables, to whose rows strings can be matched');
insert into search.kind (name, description, k1, b, weighed_length)
values ('lookup', 'Names of rows of lookup tables', 0, 0, 1)
on conflict (name) do update
    set description = excluded.description, weighed_length = 1;
select search.create_vector_indexes();

-- The learned score of lookup tables, learned over all tables of gold_dev.csv by the modules that
-- `qm eval fit-lookup LOOKUP.csv GOLD.csv --output WEIGHTS.json` calls, step by step. That command
-- itself has not yet been run to its end over all of them.
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
  "intercept": -10.268, "cosine": 3.4883, "query_share": 2.5145, "name_share": 4.5247,
  "trigram": 6.7985, "exact": 3.2539, "words_said": 1.2507, "words_begun": 0.9951,
  "name_words": 0.5994, "first_equal": -0.7132, "first_begun": 2.4238, "first_similar": 3.2401,
  "second_similar": 2.4166, "second_equal": -1.2401, "second_near": 1.365,
  "numbers_found": 5.6624, "numbers_unsaid": 0.8369, "numbers_missing": -0.3109,
  "alias": -3.5379, "evidence": 4.1978, "property_true": 7.7435, "property_false": -1.832,
  "short_equal": 0.7109, "stem_equal": 0.3907, "begins": -2.1499, "continues": 0.3007,
  "in_name": -0.629, "in_query": -0.1899, "first_stem": 0.1919, "second_stem": -0.4584,
  "first_unknown": 0.1759, "first_other": 0.2618, "one_word_query": 3.8247,
  "one_word_name": 1.7254, "length_ratio": -0.3634, "language": 0.2862, "verbatim": 20.6233,
  "letters_equal": 4.0595, "initial_fits": 2.3553, "unexplained": -0.2241, "initials": -2.5223,
  "acronym": 7.3676, "moved_known": 1.2498, "moved_unknown": -0.5806, "moved_evidence": 1.833,
  "moved_kin": 5.4206, "repeated": 3.6478, "both_similar": 2.7477, "short_query": -5.8875,
  "cosine_half": -1.1807, "cosine_high": -8.7054, "trigram_half": 6.9567,
  "trigram_high": -16.7114, "query_share_half": 1.1068, "query_share_high": 3.0849,
  "name_share_half": -4.45, "name_share_high": 12.3493, "words_begun_half": 5.3389,
  "words_begun_high": 3.1683, "first_similar_half": -1.0203, "second_similar_half": -2.084
}, "confidence": {
  "intercept": -2.9906, "odds": 0.5935, "odds_squared": -0.001, "odds_high": -0.1934,
  "cosine": -2.0144, "query_share": -4.6312, "name_share": 5.8738, "trigram": 5.3186,
  "exact": -0.0343, "words_said": 1.2631, "words_begun": 0.6768, "name_words": 0.3068,
  "first_equal": 0.2574, "first_begun": 2.186, "first_similar": 1.8642,
  "second_similar": 0.6557, "second_equal": -0.4626, "second_near": -0.4169,
  "numbers_found": 1.1736, "numbers_unsaid": 0.019, "numbers_missing": -2.0648, "alias": 5.0234,
  "evidence": 0.9614, "property_true": 0.0, "property_false": 0.0, "short_equal": -0.3375,
  "stem_equal": 0.2809, "begins": -1.065, "continues": -0.5059, "in_name": -1.0719,
  "in_query": -1.8005, "first_stem": 0.2844, "second_stem": -0.2471, "first_unknown": 0.556,
  "first_other": 1.7691, "one_word_query": 1.7056, "one_word_name": 0.5417,
  "length_ratio": -1.4003, "language": 0.7971, "verbatim": 1.7893, "letters_equal": -0.8829,
  "initial_fits": 0.7796, "unexplained": 0.6488, "initials": -2.043, "acronym": -0.6521,
  "moved_known": -1.0633, "moved_unknown": 0.3263, "moved_evidence": 0.2678,
  "moved_kin": 5.9681, "repeated": 0.4836, "both_similar": 1.6482, "short_query": -1.3749,
  "cosine_half": -4.1418, "cosine_high": -8.5133, "trigram_half": -0.6918,
  "trigram_high": 2.3966, "query_share_half": 5.7421, "query_share_high": -4.2009,
  "name_share_half": -0.6554, "name_share_high": -2.372, "words_begun_half": 1.4137,
  "words_begun_high": 3.2219, "first_similar_half": -1.8338, "second_similar_half": -0.9183
}}$json$) as p
cross join lateral jsonb_each_text(p.value) as f;
