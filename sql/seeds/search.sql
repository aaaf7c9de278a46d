-- What cards with texts are scored by: lexical_relative (BM25 over the best of the pool), lexical_share (BM25 over the most the goal's tokens
-- could give), lexical_rank and dense_rank (1 / (3 + rank in the pool)), dense (cosine; where the goal has several sentences, partly that of
-- the best of them), dense_gap (below the best of the pool), fuzzy (trigram word similarity of name and goal; 0 for goals longer than the
-- setting fuzzy.max_goal_length), name_share and origin_share (share of the tokens of the card's and of the origin's name that the goal says),
-- name_coverage (share of the goal's idf that the name says), length (ln of the document's length over the average), dense_relative (cosine
-- over the best of the pool). Words of the goal in names are words: they go with the lexical channel. The length is no channel's.
select search.put_feature_set(
    'text', 'Texts by words, meaning and likeness of their name', 'search.text_candidates',
    array[
        'lexical_relative', 'lexical_share', 'lexical_rank', 'dense', 'dense_gap', 'dense_rank',
        'fuzzy', 'name_share', 'name_coverage', 'origin_share', 'length', 'dense_relative'
    ],
    array[
        'lexical', 'lexical', 'lexical', 'dense', 'dense', 'dense',
        'fuzzy', 'lexical', 'lexical', 'lexical', null, 'dense'
    ]
);
