-- The features of cards with texts:
-- lexical_relative: BM25 over the best of the pool
-- lexical_share: BM25 over the highest score that the goal's tokens could reach
-- lexical_rank and dense_rank: 1 / (3 + rank in the pool)
-- dense: cosine; for a goal of several sentences, partly the cosine of the best sentence
-- dense_gap: distance to the best of the pool
-- dense_relative: cosine over the best of the pool
-- fuzzy: trigram word similarity of name and goal; 0 for goals longer than the setting
-- fuzzy.max_goal_length
-- name_share and origin_share: share of the tokens of the card's and of the origin's name that the
-- goal contains
-- name_coverage: share of the goal's idf that the name contains
-- length: ln of the document's length over the average
-- The features of words in names belong to the lexical channel; the length belongs to no channel.
select search.put_feature_set(
    'text', 'Texts by words, meaning and similar names', 'search.text_candidates',
    array[
        'lexical_relative', 'lexical_share', 'lexical_rank', 'dense', 'dense_gap', 'dense_rank',
        'fuzzy', 'name_share', 'name_coverage', 'origin_share', 'length', 'dense_relative'
    ],
    array[
        'lexical', 'lexical', 'lexical', 'dense', 'dense', 'dense',
        'fuzzy', 'lexical', 'lexical', 'lexical', null, 'dense'
    ]
);
