-- Settings and their defaults; a value changed by an administrator is kept.
insert into core.setting (name, value, description)
values
('goal.max_length', '20000', 'Longest goal that is accepted, in characters.'),
('goal.max_terms', '24', 'Distinct tokens of a goal that lexical search uses: the rarest.'),
('goal.sentence_share', '0.3', 'Share of the best sentence of a goal in its similarity to a card.'),
('fuzzy.max_goal_length', '40', 'Longest goal compared with names by trigrams, in characters.'),
('exposure.limit', '40', 'Most tools in the tools/list of a session; older ones are removed.'),
('search.duplicate_similarity', '0.95', 'Lowest cosine at which cards of equal name count as one.'),
('weights.tolerance', '0.03', 'Change of the average length at which BM25 weights are renewed.'),
('instance.timeout', '"60 s"', 'Time without a heartbeat after which a process counts as gone.'),
('feedback.window', '"30 minutes"', 'Time after a selection in which calls count as its outcome.'),
('utility.window', '"30 days"', 'Age up to which calls count for the utility of a tool.'),
('utility.prior_calls', '20', 'Average calls credited to every tool: few calls prove little.'),
('policy.default', '"allow"', 'Effect if no rule applies: "allow" or "deny".'),
('pool.ttl', '"60 s"', 'Lifetime of the remembered candidates of a goal; "0": none.'),
('catalog.approval', '"changes"', 'New versions that wait for approval: "none", "changes", "all".'),
('probe.interval', '"0"', 'Time between probes of a side-effect-free tool; "0": by hand only.'),
('probe.window', '5', 'Number of newest probes that show whether a tool is honest.'),
('embedding.directory', 'null', 'Folder of the active model on the database server, for embed().'),
('breaker.failures', '5', 'Failed or slow calls that open the breaker of an origin; 0: never.'),
('breaker.share', '0.5', 'Share of an origin''s calls that must also have failed.'),
('breaker.window', '"1 minute"', 'Age up to which calls of an origin count for its breaker.'),
('breaker.slow_times', '5', 'A call is slow from this many times the usual p95 of its tool.'),
('breaker.slow_from', '"2 seconds"', 'No call shorter than this is slow; at least one second.'),
('breaker.pause', '"10 seconds"', 'Pause before an origin is called again; doubled each time.'),
('breaker.longest_pause', '"5 minutes"', 'Longest such pause.'),
('breaker.probe', '"2 minutes"', 'Time after which the call that tests an origin counts as gone.'),
('call.keep', '"90 days"', 'Lifetime of calls in the log, once counted; "0": for ever.'),
('receipt.keep', '"90 days"', 'Lifetime of receipts, once learned from; "0": for ever.'),
('job.keep', '"30 days"', 'Lifetime of the log of job runs.'),
('snapshots.keep', '7', 'Number of regular snapshots to keep.'),
('audit.keep_months', '0', 'Whole months of audit records to keep; 0: all.'),
('lookup.max_batch', '1000', 'Most queries in one batch of a lookup.'),
('lookup.keep', '"30 days"', 'Lifetime of receipts of lookups; "0": for ever.'),
('lookup.gold_pairs', '500', 'Gold pairs that one run of the job evaluate_lookups uses.'),
('lookup.fall', '0.02', 'Fall of Recall@5 or MRR between two runs that causes a warning.'),
(
    'call.terms',
    jsonb_build_object(
        'attempts', 3, 'arguments_bytes', 1000000, 'arguments_depth', 64, 'result_bytes', 64000000,
        'page_characters', 100000, 'believes', true
    ),
    'Terms of calls of tools without their own: see catalog.call_terms.'
),
('answer.keep_keys', '"24 hours"', 'Lifetime of an idempotency key and its answer.'),
('answer.keep_pages', '"1 hour"', 'Lifetime of a large result that is read in pages.'),
('answer.largest', '16000000', 'Largest answer that is stored, in bytes.'),
('answer.most_bytes', '256000000', 'Most bytes of all stored answers; the oldest go first.'),
('reranker.directory', 'null', 'Folder of the reranker on the database server, for rerank().')
on conflict (name) do update
    set description = excluded.description;
