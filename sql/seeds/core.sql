-- Settings and their defaults; a value changed by an administrator is kept.
insert into core.setting (name, value, description)
values
('goal.max_length', '20000', 'Longest goal accepted, in characters.'),
('goal.max_terms', '64', 'Distinct tokens of a goal that lexical search uses: the rarest ones.'),
('fuzzy.max_goal_length', '40', 'Longest goal compared with names by trigrams, in characters.'),
('exposure.limit', '40', 'Tools a session keeps in its tools/list; older ones make room.'),
('search.duplicate_similarity', '0.95', 'Cosine from which cards of equal name are one.'),
('weights.tolerance', '0.03', 'Drift of the average length after which BM25 weights are renewed.'),
('instance.timeout', '"60 s"', 'Silence after which a process of the service counts as gone.'),
('feedback.window', '"30 minutes"', 'How long calls after a selection count as its outcome.'),
('utility.window', '"30 days"', 'How far back calls count for the utility of a tool.'),
('utility.prior_calls', '20', 'Average calls credited to every tool: few calls say little.'),
('policy.default', '"allow"', 'What holds where no rule speaks: "allow" or "deny".'),
('pool.ttl', '"60 s"', 'How long the engine''s finds for a goal are kept; "0": not at all.'),
('catalog.approval', '"changes"', 'Which tools wait for approval: "none", "changes", "all".'),
('probe.interval', '"0"', 'Time between probes of a side-effect-free tool; "0": by hand only.'),
('probe.window', '5', 'Newest probes of a tool that say whether it is honest.'),
('embedding.directory', 'null', 'Folder of the active model on the database server, for embed().'),
('call.keep', '"90 days"', 'How long the log of calls is kept, once counted; "0": for ever.'),
('receipt.keep', '"90 days"', 'How long receipts are kept, once learned from; "0": for ever.'),
('job.keep', '"30 days"', 'How long the log of a job''s runs is kept.'),
('snapshots.keep', '7', 'Regular snapshots that are kept.'),
('audit.keep_months', '0', 'Whole months of audit records that are kept; 0: all.'),
('lookup.max_batch', '1000', 'Queries to a lookup table in one batch.'),
('lookup.keep', '"30 days"', 'How long queries to lookup tables are kept; "0": for ever.'),
('lookup.gold_pairs', '500', 'Gold pairs that the job evaluate_lookups asks in one run.'),
('lookup.fall', '0.02', 'Fall of Recall@5 or MRR between two runs from which it warns.'),
('reranker.directory', 'null', 'Folder of the reranker on the database server, for rerank().')
on conflict (name) do update
    set description = excluded.description;
