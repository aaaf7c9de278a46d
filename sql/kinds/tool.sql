-- Tools of MCP servers.
select search.put_kind(
    'tool', 'Tools of MCP servers',
    p_outcomes => 'called', p_card_function => 'catalog.tool_card',
    p_describe_function => 'catalog.describe_item',
    p_texts_function => 'catalog.tool_texts',
    p_problem_function => 'catalog.tool_problem', p_core_function => 'catalog.tool_core',
    p_not_found => 'tool_not_found',
    p_definition_function => 'catalog.tool_definition',
    p_version_function => 'catalog.tool_listing',
    p_labels_function => 'catalog.tool_labels',
    p_availability_function => 'catalog.item_availability', p_is_default => true
);

-- The weights of the learned score. `qm eval fit` learned them from goals for servers that were not used to train the
-- embedding model (docs/minilm-tools-2.md). An installation does not replace weights that were learned in this
-- database.
-- The weight of destroys_unasked was chosen by hand, not learned. Three features have the weight 0, so that a better
-- match never lowers the score.
insert into search.coefficient (kind, profile, part, feature, weight)
values
('tool', 'minilm-tools-2', 'score', 'intercept', -7.4781),
('tool', 'minilm-tools-2', 'score', 'lexical_relative', 0),
('tool', 'minilm-tools-2', 'score', 'lexical_share', 0.3729),
('tool', 'minilm-tools-2', 'score', 'lexical_rank', 0.7865),
('tool', 'minilm-tools-2', 'score', 'dense', 5.6797),
('tool', 'minilm-tools-2', 'score', 'dense_gap', 2.4767),
('tool', 'minilm-tools-2', 'score', 'dense_rank', 2.4153),
('tool', 'minilm-tools-2', 'score', 'fuzzy', 1.6479),
('tool', 'minilm-tools-2', 'score', 'name_share', 0),
('tool', 'minilm-tools-2', 'score', 'name_coverage', 0),
('tool', 'minilm-tools-2', 'score', 'origin_share', 2.5075),
('tool', 'minilm-tools-2', 'score', 'length', 0.2625),
('tool', 'minilm-tools-2', 'score', 'dense_relative', 1.8915),
('tool', 'minilm-tools-2', 'score', 'destroys_unasked', -8)
on conflict (kind, profile, part, feature) do nothing;

-- The weights for a large catalog and for long goals, from `qm eval fit --large` on train goals of bfcl, sealtools,
-- toolbench and toolret (docs/lab/selection.md#large-catalogs). The weight of destroys_unasked is the same. That of
-- lexical_relative was raised by .5, because the embedding model was trained on the same goals, so the learned weights
-- trust it too much (docs/lab/selection.md#long-goals). That of lexical_coverage was chosen, and all others were then
-- multiplied by .85, so that the score stays as sure as before (docs/lab/selection.md#covered-words). These weights
-- replace those of version 0.2.0, but not weights that were learned in this database.
insert into search.coefficient as w (kind, profile, part, feature, weight)
select
    'tool' as kind,
    'minilm-tools-2' as profile,
    'large' as part,
    g.feature,
    g.weight
from (
    values
    ('intercept', -10.03),
    ('lexical_relative', 1.576),
    ('lexical_share', 0),
    ('lexical_rank', 2.6842),
    ('lexical_coverage', 3),
    ('dense', 3.5532),
    ('dense_gap', 2.7182),
    ('dense_rank', 0.1238),
    ('fuzzy', 0.018),
    ('name_share', 1.3326),
    ('name_coverage', 0),
    ('origin_share', 0.2258),
    ('length', 0.1454),
    ('dense_relative', 5.5841),
    ('destroys_unasked', -8)
) as g (feature, weight)
where
    not exists (
        select from search.coefficient as c
        where
            c.kind = 'tool'
            and c.profile = 'minilm-tools-2'
            and c.part in ('score', 'large')
            and c.feature = 'intercept'
            and (c.part, c.weight) not in (
                ('score', -7.4781::real), ('large', -10.86::real), ('large', -10.03::real)
            )
    )
on conflict (kind, profile, part, feature) do update
    set weight = excluded.weight
    where w.weight <> excluded.weight;

-- The weights for the probability that a tool in a list fits the goal. `qm eval calibrate` learned them from the same
-- goals as the weights of the score. Each goal was searched twice: with all servers, and without the servers that have
-- the right tools for the goal.
insert into search.coefficient (kind, profile, part, feature, weight)
values
('tool', 'minilm-tools-2', 'confidence', 'intercept', -1.5439),
('tool', 'minilm-tools-2', 'confidence', 'odds', 0.1382),
('tool', 'minilm-tools-2', 'confidence', 'lead', 1.0811),
('tool', 'minilm-tools-2', 'confidence', 'rank', -0.3653),
('tool', 'minilm-tools-2', 'confidence', 'best', 0.0235),
('tool', 'minilm-tools-2', 'confidence', 'nearest', 2.0553),
('tool', 'minilm-tools-2', 'confidence', 'origin_dense', 1.8259),
('tool', 'minilm-tools-2', 'confidence', 'common_nearest', -1.603),
('tool', 'minilm-tools-2', 'confidence', 'common_mean', 1.0855),
-- Whether anything in the list fits (selection.fit_of), learned from the same goals on desks drawn at random.
('tool', 'minilm-tools-2', 'confidence', 'fit', 2.2193),
('tool', 'minilm-tools-2', 'confidence', 'fit_expected', 3.1348),
('tool', 'minilm-tools-2', 'confidence', 'fit_odds', 1.5527),
('tool', 'minilm-tools-2', 'confidence', 'fit_words', 0.7976)
on conflict (kind, profile, part, feature) do nothing;
