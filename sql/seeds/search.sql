-- The features of cards with texts:
-- lexical_relative: BM25 divided by the best BM25 in the pool
-- lexical_share: BM25 divided by the highest score that the goal's tokens could reach
-- lexical_rank and dense_rank: 1 / (3 + rank in the pool)
-- dense: cosine; for a goal of several sentences, partly the cosine of the best sentence
-- dense_gap: difference from the best cosine in the pool
-- dense_relative: cosine divided by the best cosine in the pool
-- fuzzy: how far the trigram word similarity of name and goal exceeds one half, times two, because names that are half
-- alike are not the same name; 0 for goals longer than the setting fuzzy.max_goal_length
-- name_share and origin_share: share of the tokens of the card's and of the origin's name that the goal contains
-- name_coverage: share of the goal's idf that the name contains
-- length: natural logarithm of the document's length divided by the average length
-- destroys_unasked: for a card that destroys something, the probability that the goal is not to destroy anything; 0 if
-- the goal contains the word in the card's name that stands for destroying
-- origin_dense: cosine of the goal with the mean vector of the visible cards of the same origin
-- common_nearest and common_mean: highest and mean cosine of the card with the common goals (search.common_goal)
-- The features of words in names belong to the lexical channel; the length belongs to no channel. The last three do not
-- order cards; they say whether a card fits at all.
select search.put_feature_set(
    'text', 'Texts, found by words, meaning and similar names', 'search.text_candidates',
    array[
        'lexical_relative', 'lexical_share', 'lexical_rank', 'dense', 'dense_gap', 'dense_rank',
        'fuzzy', 'name_share', 'name_coverage', 'origin_share', 'length', 'dense_relative',
        'destroys_unasked', 'origin_dense', 'common_nearest', 'common_mean'
    ],
    array[
        'lexical', 'lexical', 'lexical', 'dense', 'dense', 'dense',
        'fuzzy', 'lexical', 'lexical', 'lexical', null, 'dense',
        'dense', 'dense', 'dense', 'dense'
    ]
);

-- Weights for the vectors of minilm-tools-2. They estimate whether a goal asks for something to be destroyed. They were
-- learned with `python -m quartermaster.eval.destroying` (docs/lab/selection.md#destructive-tools).
insert into search.destroying_goal (model, intercept, weights)
values (
    'minilm-tools-2', -7.9,
    '[1,4.2,1,1.8,1.2,-2.8,0.6,-2.3,4.7,-0.9,-1.1,4,1,-0.4,2,-0.6,-2.8,-0.2,-0.1,-0.1,0.8,-0.7,'
    '-1.2,'
    '4.6,-0.3,1.8,0.2,0.9,0.4,-2.1,2,5.5,1.4,-1.9,0.6,-1.1,-2.3,-3.6,2.8,2.5,1.1,1.6,0.5,-0.1,1.5,'
    '1.8,-3.8,-1.1,2.5,1.5,2.5,0.6,-1.2,-2.5,-0.6,-0.3,4.9,-0.7,2.2,0.8,3.5,-1.4,-2.3,0,1.4,-3.1,'
    '0.4,-3.4,2.6,2.9,1.2,-2.5,-1.4,-0.8,0.9,2.7,1,-0.6,-1,-0.4,0.3,-0.9,2.4,-1.2,-2.2,0,2.2,1.3,'
    '3.1,-1.1,-1.4,-0.7,1,1.2,2,-2.2,2,-0.5,-4.4,0.4,2.6,-1,-0.9,0.8,-3.2,-0.2,-2.5,1.3,-1.2,1.6,'
    '-1.5,-1.9,-0.8,-1.1,-2.4,0.2,0.2,-0.6,-1.8,-1.3,-1.8,-1.5,-1,3.2,-2.2,-2.6,0.5,0,-2.4,0.4,'
    '-2.7,0.7,2,-2.2,-1.2,-2.4,1,0.2,-0.6,-3.6,-0.7,-1.9,2.9,-0.2,0.1,2,1.3,0.2,4.1,-1.2,0.5,-3.2,'
    '-1.1,-2.2,0.4,0.8,0.1,-1.3,1.2,2.2,2.1,5.8,2.1,0,4.5,0.2,0.7,-0.7,1.3,-0.8,-1.3,4.4,1.3,-1.4,'
    '2.1,1.7,-2.6,1.7,-3.1,-3.1,2.1,-0.5,-4.3,0.5,-4,-1.1,0,-2.2,0,0.3,-0.6,-1,0.3,-0.1,2.7,3.2,'
    '-0.6,-2.4,1.5,-5.3,1.6,-3.8,0.6,-1.1,0.3,1.4,4.5,2.1,-0.6,-1.4,-0.1,0.8,1.6,0.6,2.9,-1.5,4.1,'
    '2.4,0.4,1.4,2.7,1.7,2.1,0,0.9,0.7,0.2,-0.6,3.7,-2.3,3.7,1.6,-0.5,0.8,1.6,-4.2,2.5,-0.8,-0.1,'
    '1.9,-0.3,-2.2,-5.8,-1.8,0.8,-1.4,-0.5,-4.3,-2.7,-1.5,-0.3,0.9,-0.9,-0.8,0.4,2.6,-0.1,1.5,0.1,'
    '-1,-0.2,4.6,-0.7,-2.4,-2.2,0.3,-1.3,1.3,1,-1.7,1.1,-1.4,2.9,-1.4,-4.6,-1.1,1.6,-1.2,0.6,-1.5,'
    '-1,1.1,0.1,-0.4,3.3,2.7,0.3,1.4,2.5,-3.7,1.4,-1.3,-0.2,2.1,2.7,2.1,2.5,-0.1,-0.6,-0.1,-0.8,'
    '1.4,1.1,-1.4,1.8,0.5,0.3,0.7,-6.1,-1.8,-2.2,-2.1,-3.2,-0.8,1.2,-5.5,4.8,0.1,-0.6,0,3.4,1.5,'
    '-1.2,1.8,2.1,-1.9,-1.4,6,6.5,-1.8,-1.6,1,-4.2,-1,1.8,-3.6,2.2,-1.3,0.5,1.1,-1.3,-6.3,-0.2,'
    '-1.2,2.3,-2.3,1.4,0.8,2.8,1,-1.4,1.8,0.3,0,-1.1,0,-3.5,0.3,-1.8,0,3,2.7,-2.7,1.1,1.4,-2.1,0.6,'
    '-2.6,-1.1,-0.5,-3.1,1.7,-1.6,2.7,1.1,-3.3,-0.9,0.1,-1.5,0.9,3.6,-0.4,1.1,-0.9]'
)
on conflict (model) do update set intercept = excluded.intercept, weights = excluded.weights;
