-- Tools of MCP servers.
select search.put_kind(
    'tool', 'Tools of MCP servers',
    p_has_outcomes => true, p_card_function => 'catalog.card', p_not_found => 'tool_not_found'
);

-- The learned score, by `qm eval fit` from the dev queries of bfcl, metatool, sealtools, toolbench,
-- toollinkos and toolret. Weights that somebody has learned here stay.
insert into search.coefficient (kind, model, feature, weight)
values
('tool', 'minilm-tools', 'intercept', -11.7927),
('tool', 'minilm-tools', 'lexical_relative', 3.8043),
('tool', 'minilm-tools', 'lexical_share', 0.1396),
('tool', 'minilm-tools', 'lexical_rank', 1.576),
('tool', 'minilm-tools', 'dense', 1.7008),
('tool', 'minilm-tools', 'dense_gap', 1.246),
('tool', 'minilm-tools', 'dense_rank', -1.0447),
('tool', 'minilm-tools', 'fuzzy', 0.5517),
('tool', 'minilm-tools', 'name_share', 0.4667),
('tool', 'minilm-tools', 'name_coverage', -0.7257),
('tool', 'minilm-tools', 'origin_share', 0.3594),
('tool', 'minilm-tools', 'length', -0.0053),
('tool', 'minilm-tools', 'dense_relative', 7.6528)
on conflict (kind, model, feature) do nothing;
