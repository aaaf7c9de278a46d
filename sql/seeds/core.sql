-- Settings and their defaults; a value changed by an administrator is kept.
insert into core.setting (name, value, description)
values
('goal.max_length', '20000', 'Longest goal accepted, in characters.'),
('goal.max_terms', '24', 'Distinct tokens of a goal that lexical search uses: the rarest ones.'),
('goal.sentence_share', '0.3', 'Share of its best sentence in how near a card is to a goal.'),
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
('breaker.failures', '5', 'Failed, or slow, calls from which an origin is left alone; 0: never.'),
('breaker.share', '0.5', 'The share of its calls that failed must have beside that.'),
('breaker.window', '"1 minute"', 'How far back calls of an origin are looked at.'),
('breaker.slow_times', '5', 'Times its tool''s usual p95 from which a call is slow.'),
('breaker.slow_from', '"2 seconds"', 'What no call below is called slow; not less than a second.'),
('breaker.pause', '"10 seconds"', 'How long an origin is left alone; doubled each time in a row.'),
('breaker.longest_pause', '"5 minutes"', 'How far that doubles.'),
('breaker.probe', '"2 minutes"', 'When the call that tries an origin again counts as gone.'),
('call.keep', '"90 days"', 'How long the log of calls is kept, once counted; "0": for ever.'),
('receipt.keep', '"90 days"', 'How long receipts are kept, once learned from; "0": for ever.'),
('job.keep', '"30 days"', 'How long the log of a job''s runs is kept.'),
('snapshots.keep', '7', 'Regular snapshots that are kept.'),
('audit.keep_months', '0', 'Whole months of audit records that are kept; 0: all.'),
('lookup.max_batch', '1000', 'Queries to a lookup table in one batch.'),
('lookup.keep', '"30 days"', 'How long receipts of lookups are kept; "0": for ever.'),
('lookup.gold_pairs', '500', 'Gold pairs that the job evaluate_lookups asks in one run.'),
('lookup.fall', '0.02', 'Fall of Recall@5 or MRR between two runs from which it warns.'),
(
    'call.terms',
    jsonb_build_object(
        'attempts', 3, 'arguments_bytes', 1000000, 'arguments_depth', 64, 'result_bytes', 64000000,
        'page_characters', 100000, 'believes', true
    ),
    'What holds of calls where nothing is set for the tool: see catalog.call_terms.'
),
('answer.keep_keys', '"24 hours"', 'How long an idempotency key and its answer are kept.'),
('answer.keep_pages', '"1 hour"', 'How long a large result is kept to be read in pages.'),
('answer.largest', '16000000', 'Largest answer that is kept, in bytes.'),
('answer.most_bytes', '256000000', 'Bytes of all kept answers; the oldest go first.'),
('reranker.directory', 'null', 'Folder of the reranker on the database server, for rerank().')
on conflict (name) do update
    set description = excluded.description;
