-- Registers the kind tool: tools of MCP servers.
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

-- The weights of the learned score. `qm eval fit` learned them with minilm-tools-2, from goals for servers that were not
-- used to train it; those learned with minilm-tools-4 were no better (lab/notes/minilm-tools-4.md). An installation
-- does not replace weights that were learned in this database.
-- The weight of destroys_unasked was chosen by hand, not learned. Three features have the weight 0, so that a better
-- match never lowers the score.
insert into search.coefficient (kind, profile, part, feature, weight)
values
('tool', 'minilm-tools-4', 'score', 'intercept', -7.4781),
('tool', 'minilm-tools-4', 'score', 'lexical_relative', 0),
('tool', 'minilm-tools-4', 'score', 'lexical_share', 0.3729),
('tool', 'minilm-tools-4', 'score', 'lexical_rank', 0.7865),
('tool', 'minilm-tools-4', 'score', 'lexical_coverage', 0),
('tool', 'minilm-tools-4', 'score', 'dense', 5.6797),
('tool', 'minilm-tools-4', 'score', 'dense_gap', 2.4767),
('tool', 'minilm-tools-4', 'score', 'dense_rank', 2.4153),
('tool', 'minilm-tools-4', 'score', 'fuzzy', 1.6479),
('tool', 'minilm-tools-4', 'score', 'name_share', 0),
('tool', 'minilm-tools-4', 'score', 'name_coverage', 0),
('tool', 'minilm-tools-4', 'score', 'origin_share', 2.5075),
('tool', 'minilm-tools-4', 'score', 'length', 0.2625),
('tool', 'minilm-tools-4', 'score', 'dense_relative', 1.8915),
('tool', 'minilm-tools-4', 'score', 'destroys_unasked', -8)
on conflict (kind, profile, part, feature) do nothing;

-- The weights for a large catalog and for long goals, from `qm eval fit` on train goals of bfcl, sealtools, toolbench and
-- toolret (lab/notes/selection.md#large-catalogs). The weight of destroys_unasked is the same. That of lexical_relative
-- was raised by .5, because the embedding model was trained on the same goals, so the learned weights trust it too much
-- (lab/notes/selection.md#long-goals). That of lexical_coverage was chosen, all others were then multiplied by .85
-- (lab/notes/selection.md#covered-words). The intercept was chosen, too, so that the score stays as sure as before.
-- Where weights of the score were learned in this database, they do not apply.
insert into search.coefficient (kind, profile, part, feature, weight)
select
    'tool' as kind,
    'minilm-tools-4' as profile,
    'large' as part,
    g.feature,
    g.weight
from (
    values
    ('intercept', -9.66),
    ('lexical_relative', 1.4009),
    ('lexical_share', 0),
    ('lexical_rank', 2.1797),
    ('lexical_coverage', 3),
    ('dense', 3.8575),
    ('dense_gap', 2.7991),
    ('dense_rank', 1.4492),
    ('fuzzy', 1.6473),
    ('name_share', 1.202),
    ('name_coverage', 0),
    ('origin_share', 0.0235),
    ('length', 0.1228),
    ('dense_relative', 5.3345),
    ('destroys_unasked', -8)
) as g (feature, weight)
where
    not exists (
        select from search.coefficient as c
        where
            c.kind = 'tool'
            and c.profile = 'minilm-tools-4'
            and c.part = 'score'
            and c.feature = 'intercept'
            and c.weight <> -7.4781::real
    )
on conflict (kind, profile, part, feature) do nothing;

-- The weights for the probability that a tool in a list fits the goal. `qm eval calibrate` learned them from the same
-- goals as the weights of the score. Each goal was searched twice: with all servers, and without the servers that have
-- the right tools for the goal.
insert into search.coefficient (kind, profile, part, feature, weight)
values
('tool', 'minilm-tools-4', 'confidence', 'intercept', -2.1702),
('tool', 'minilm-tools-4', 'confidence', 'odds', 0.0759),
('tool', 'minilm-tools-4', 'confidence', 'lead', 1.0421),
('tool', 'minilm-tools-4', 'confidence', 'rank', -0.6917),
('tool', 'minilm-tools-4', 'confidence', 'best', 0.0206),
('tool', 'minilm-tools-4', 'confidence', 'nearest', 1.9943),
('tool', 'minilm-tools-4', 'confidence', 'origin_dense', 2.3212),
('tool', 'minilm-tools-4', 'confidence', 'common_nearest', -0.9165),
('tool', 'minilm-tools-4', 'confidence', 'common_mean', 5.372),
-- Whether anything in the list fits (selection.fit_of), learned from the same goals on desks drawn at random.
('tool', 'minilm-tools-4', 'confidence', 'fit', 1.5),
('tool', 'minilm-tools-4', 'confidence', 'fit_expected', 3.4607),
('tool', 'minilm-tools-4', 'confidence', 'fit_odds', 1.2569),
('tool', 'minilm-tools-4', 'confidence', 'fit_words', 0.8637)
on conflict (kind, profile, part, feature) do nothing;

select selection.put_task_part(
    'tool', 40, 'catalog.task_tools', p_is_ranked => true, p_kinds => '{tool}',
    p_floor_setting => 'task.floor'
);
