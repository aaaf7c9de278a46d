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
    p_labels_function => 'catalog.tool_labels'
);

-- The learned score, from `qm eval fit` on the dev queries of bfcl, metatool, sealtools, toolbench,
-- toollinkos and toolret. Weights that somebody learned here stay.
insert into search.coefficient (kind, profile, part, feature, weight)
values
('tool', 'minilm-tools', 'score', 'intercept', -11.7927),
('tool', 'minilm-tools', 'score', 'lexical_relative', 3.8043),
('tool', 'minilm-tools', 'score', 'lexical_share', 0.1396),
('tool', 'minilm-tools', 'score', 'lexical_rank', 1.576),
('tool', 'minilm-tools', 'score', 'dense', 1.7008),
('tool', 'minilm-tools', 'score', 'dense_gap', 1.246),
('tool', 'minilm-tools', 'score', 'dense_rank', -1.0447),
('tool', 'minilm-tools', 'score', 'fuzzy', 0.5517),
('tool', 'minilm-tools', 'score', 'name_share', 0.4667),
('tool', 'minilm-tools', 'score', 'name_coverage', -0.7257),
('tool', 'minilm-tools', 'score', 'origin_share', 0.3594),
('tool', 'minilm-tools', 'score', 'length', -0.0053),
('tool', 'minilm-tools', 'score', 'dense_relative', 7.6528)
on conflict (kind, profile, part, feature) do nothing;
