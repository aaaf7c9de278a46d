-- Settings and their defaults. If an administrator has changed a value, the change is kept.
insert into core.setting (name, value, description)
values
('goal.max_length', '20000', 'Longest goal that is accepted, in characters.'),
('goal.max_terms', '24', 'Number of distinct goal tokens that lexical search uses, rarest first.'),
(
    'context.points_back',
    to_jsonb(
        '\m(same|again|(?<!\mis )it|its|them|they|those|these|that one|this one|the others?'
        || '|other one|another one|next one|likewise|previous|as before|one more)\M'
    ),
    'Regular expression for goals that refer to what was said before.'
),
(
    'context.share', '0.7',
    'Share of the recent context in the vector of a goal that cannot be understood alone.'
),
(
    'outage.most_cards', '20000',
    'Kinds with more cards are not copied for outages. Tools are always copied.'
),
('pg_search.from_cards', '100000', 'Number of cards of a kind above which pg_search is used.'),
('goal.sentence_share', '0.3', 'Weight of the best sentence in the similarity of a goal.'),
('fuzzy.max_goal_length', '40', 'A goal with more characters is not compared with names.'),
('exposure.limit', '40', 'Maximum tools in a session''s tools/list; the oldest are removed.'),
(
    'search.duplicate_similarity', '0.95', 'Lowest cosine at which cards of the same name count as '
    'one.'
),
(
    'weights.tolerance', '0.03', 'If the average length of cards changes by a larger share, all '
    'BM25 weights are computed again.'
),
('instance.timeout', '"60 s"', 'Time without a heartbeat after which a process counts as dead.'),
(
    'feedback.window', '"30 minutes"', 'Time after a search in which calls count as an outcome of '
    'it.'
),
('utility.window', '"30 days"', 'Maximum age of calls that count for the utility of a tool.'),
(
    'utility.prior_calls', '20', 'Number of calls with average results that are added to the calls '
    'of each tool.'
),
('policy.default', '"allow"', 'Effect if no rule applies: "allow" or "deny".'),
('pool.ttl', '"60 s"', 'Lifetime of the cached candidates for a goal; "0": no cache.'),
('catalog.approval', '"changes"', 'New versions that need approval: "none", "changes" or "all".'),
('probe.interval', '"0"', 'Time between probes of a read-only tool; "0": only on request.'),
('probe.window', '5', 'A tool is judged by this number of its newest probes.'),
('embedding.directory', 'null', 'Folder of the active model on the database server, for embed().'),
('breaker.failures', '5', 'Number of failed or slow calls that open a breaker; 0: never.'),
('breaker.share', '0.5', 'Lowest share of failed calls at which a breaker opens.'),
('breaker.window', '"1 minute"', 'Maximum age of calls that count for the breaker.'),
('breaker.slow_times', '5', 'A call is slow if it takes this many times the tool''s usual time.'),
('breaker.slow_from', '"2 seconds"', 'Calls shorter than this are never slow; at least 1 second.'),
('breaker.pause', '"10 seconds"', 'Pause before an origin is called again; it doubles each time.'),
('breaker.longest_pause', '"5 minutes"', 'Longest pause before an origin is called again.'),
('breaker.probe', '"2 minutes"', 'Time after which another call may test the origin.'),
('call.keep', '"90 days"', 'Lifetime of calls in the call log; "0": for ever.'),
('receipt.keep', '"90 days"', 'Lifetime of receipts of searches; "0": for ever.'),
('login.transaction', '"60 s"', 'Longest transaction of a psql login; longer ones are ended.'),
('login.sessions', '10', 'Number of psql sessions that a login may have at the same time.'),
('job.keep', '"30 days"', 'Lifetime of the job log.'),
('snapshots.keep', '7', 'Number of regular snapshots to keep.'),
('audit.keep_months', '0', 'Whole months of audit records to keep; 0: keep all.'),
('lookup.max_batch', '1000', 'Maximum number of queries in one batch of lookups.'),
('lookup.keep', '"30 days"', 'Lifetime of lookup receipts; "0": for ever.'),
(
    'lookup.gold_pairs', '500',
    'Maximum number of gold pairs in one run of the job evaluate_lookups.'
),
('lookup.fall', '0.02', 'A larger drop in Recall@5 or MRR between runs causes a warning.'),
(
    'call.terms',
    jsonb_build_object(
        'attempts', 3, 'arguments_bytes', 1000000, 'arguments_depth', 64, 'result_bytes', 64000000,
        'page_characters', 100000, 'believes', true
    ),
    'Default terms for calls to tools; see catalog.call_terms.'
),
('answer.keep_keys', '"24 hours"', 'Lifetime of an idempotency key and its answer.'),
('answer.keep_pages', '"1 hour"', 'Lifetime of a large result that is read page by page.'),
('answer.largest', '16000000', 'Largest answer that is stored, in bytes.'),
('answer.most_bytes', '256000000', 'Maximum size of all stored answers; the oldest are deleted.'),
('reranker.directory', 'null', 'Folder of the reranker on the database server, for rerank().')
on conflict (name) do update
    set description = excluded.description;
