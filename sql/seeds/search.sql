-- The features of cards with texts:
-- lexical_relative: BM25 divided by the best BM25 in the pool
-- lexical_share: BM25 divided by the highest score that the goal's tokens could reach
-- lexical_rank and dense_rank: 1 / (3 + rank in the pool)
-- dense: cosine; for a goal of several sentences, partly the cosine of the best sentence
-- dense_gap: difference from the best cosine in the pool
-- dense_relative: cosine divided by the best cosine in the pool
-- fuzzy: how far the trigram word similarity of name and goal exceeds one half, times two, because names that are half
-- alike are not the same name; 0 for goals longer than the setting fuzzy.max_goal_length
-- name_share: share of the tokens of the card's name that the goal contains, divided by the number of cards in the pool
-- that have at least this share, because among many tools, words that several names contain do not name the right one
-- origin_share: share of the tokens of the origin's name that the goal contains
-- name_coverage: share of the goal's idf that the name contains
-- length: natural logarithm of the document's length divided by the average length
-- destroys_unasked: for a card that destroys something, the probability that the goal is not to destroy anything; 0 if
-- the goal contains the word in the card's name that stands for destroying
-- origin_dense: cosine of the goal with the mean vector of the visible cards of the same origin
-- common_nearest and common_mean: highest and mean cosine of the card with the common goals (search.common_goal)
-- lexical_coverage: share of the goal's idf that the card contains, however long the card is and however often it
-- contains a token
-- The features of words in names belong to the lexical channel; the length belongs to no channel. origin_dense,
-- common_nearest and common_mean do not order cards; they say whether a card fits at all.
select search.put_feature_set(
    'text', 'Texts, found by words, meaning and similar names', 'search.text_candidates',
    array[
        'lexical_relative', 'lexical_share', 'lexical_rank', 'dense', 'dense_gap', 'dense_rank',
        'fuzzy', 'name_share', 'name_coverage', 'origin_share', 'length', 'dense_relative',
        'destroys_unasked', 'origin_dense', 'common_nearest', 'common_mean', 'lexical_coverage'
    ],
    array[
        'lexical', 'lexical', 'lexical', 'dense', 'dense', 'dense',
        'fuzzy', 'lexical', 'lexical', 'lexical', null, 'dense',
        'dense', 'dense', 'dense', 'dense', 'lexical'
    ]
);

-- What was learned about the vectors of goals, for each embedding model, is in goal_vectors.json. The weights in
-- "destroying" estimate whether a goal asks for something to be destroyed (`python -m quartermaster.eval.destroying`,
-- docs/lab/selection.md#destructive-tools).
insert into search.destroying_goal (model, intercept, weights)
select
    m.model,
    d.intercept,
    d.weights
from jsonb_each(current_setting('qm.goal_vectors')::jsonb) as m (model, learned)
cross join jsonb_to_record(m.learned -> 'destroying') as d (intercept real, weights ext.vector)
on conflict (model) do update set intercept = excluded.intercept, weights = excluded.weights;

-- The vectors in "common" are what people often ask for: centres of goals that trained the model
-- (`python -m quartermaster.eval.common_goals`, docs/lab/selection.md#goals-that-no-tool-fits).
insert into search.common_goal (model, number, vector)
select
    m.model,
    g.number,
    g.vector::text::ext.vector
from jsonb_each(current_setting('qm.goal_vectors')::jsonb) as m (model, learned)
cross join jsonb_array_elements(m.learned -> 'common') with ordinality as g (vector, number)
on conflict (model, number) do update set vector = excluded.vector;
