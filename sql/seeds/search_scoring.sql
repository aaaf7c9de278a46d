-- The learned score of tools, by `qm eval fit` from the dev queries of bfcl, metatool,
-- sealtools, toolbench, toollinkos, toolret.
-- Weights that somebody has learned here stay.
insert into search.coefficient (kind, model, feature, weight)
values
('tool', 'minilm-tools', 'intercept', -8.6952),
('tool', 'minilm-tools', 'lexical_relative', 3.1814),
('tool', 'minilm-tools', 'lexical_share', 0.8370),
('tool', 'minilm-tools', 'lexical_rank', 5.5352),
('tool', 'minilm-tools', 'dense', 12.3910),
('tool', 'minilm-tools', 'dense_gap', 9.1779),
('tool', 'minilm-tools', 'dense_rank', -0.1667),
('tool', 'minilm-tools', 'fuzzy', 1.4182),
('tool', 'minilm-tools', 'name_share', 1.1980),
('tool', 'minilm-tools', 'name_coverage', -1.9414),
('tool', 'minilm-tools', 'origin_share', 0.8894),
('tool', 'minilm-tools', 'length', 0.0221),
('tool', 'minilm-tools', 'lexical_dense', -6.3895)
on conflict (kind, model, feature) do nothing;
