-- Settings and their defaults. If an administrator has changed a value, the change is kept.
insert into core.setting (name, value, description)
values
('goal.max_length', '20000', 'Longest goal that is accepted, in characters.'),
(
    'goal.max_terms', '24',
    'Number of distinct words of a goal that the keyword search uses, rarest first.'
),
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
    'Weight of the recent context, from 0 to 1, in the vector of a goal that refers to it; the '
    'goal itself has the rest of the weight.'
),
(
    'task.time_ms', '120',
    'Time in milliseconds after which start_task leaves out the parts of its answer that it has '
    'not begun.'
),
(
    'task.scores', '{"tool": [-1.292, 0.882], "symbol": [-2.372, 1.182]}',
    'For tools and for symbols (classes and functions of libraries): an intercept and a slope '
    'that make their scores comparable with the probabilities of notes. start_task uses them.'
),
(
    'task.floor', '0.008',
    'Lowest score at which start_task suggests a tool (kinds/knowledge/docs/measured-tables.md).'
),
(
    'outage.most_cards', '20000',
    'A kind with more cards than this is left out of the copy of the cards that is used while the '
    'database is down. Tools are never left out.'
),
(
    'pg_search.from_cards', '100000',
    'If a kind has more cards than this, the extension pg_search (if installed) searches them '
    'by words.'
),
(
    'goal.sentence_share', '0.3',
    'Weight of the most similar sentence of a goal, from 0 to 1; the whole goal has the rest of '
    'the weight.'
),
(
    'teaching.nearness', '0.3',
    'What was taught about a goal counts for another goal only if their cosine is at least this.'
),
(
    'teaching.odds', '4',
    'What a teaching adds at most to the log odds of the right card; twice as much for the same '
    'goal.'
),
(
    'teaching.odds_against', '1',
    'What a teaching takes at most from the log odds of the wrong card; twice as much for the '
    'same goal.'
),
(
    'teaching.limit', '1000',
    'Maximum number of teachings of an organisation for a kind of card.'
),
(
    'fuzzy.max_goal_length', '40',
    'A goal with more characters than this is not compared with the names of cards.'
),
(
    'exposure.limit', '40',
    'Maximum number of tools in a session''s tools/list. If there are more, the oldest are '
    'removed.'
),
(
    'list.max_tools', '200',
    'Maximum number of tools in the list for clients that search by themselves (?list=all).'
),
(
    'list.hint_principals', '3',
    'A word of successful goals becomes part of the hint of a tool (?list=all) if at least this '
    'many principals used it. Set it to 1 only if all principals may learn what the others ask.'
),
(
    'search.duplicate_similarity', '0.95',
    'Two cards with the same name are duplicates if the cosine of their vectors is at least this.'
),
(
    'weights.tolerance', '0.03', 'If the average length of cards changes by more than this '
    'share, all BM25 weights are computed again.'
),
('instance.timeout', '"60 s"', 'Time without a heartbeat after which a process counts as dead.'),
(
    'feedback.window', '"30 minutes"', 'A call counts as an outcome of a search if it begins '
    'within this time after the search.'
),
(
    'utility.window', '"30 days"',
    'Maximum age of the calls from which the success and latency of a tool are computed for '
    'ranking.'
),
(
    'utility.prior_calls', '20',
    'When tools are ranked by their calls, each tool is treated as if it had this many more calls '
    'with average results. So a few calls change its rank only a little.'
),
('policy.default', '"allow"', 'What happens if no rule applies: "allow" or "deny".'),
('pool.ttl', '"60 s"', 'Lifetime of the cached candidates for a goal; "0": no cache.'),
('catalog.approval', '"changes"', 'New versions that need approval: "none", "changes" or "all".'),
(
    'probe.interval', '"0"',
    'Time between probes (test calls) of a read-only tool; "0": only on request.'
),
('probe.window', '5', 'Number of the newest probes (test calls) by which a tool is judged.'),
('embedding.directory', 'null', 'Folder of the active model on the database server, for embed().'),
(
    'breaker.failures', '5',
    'Number of failed or slow calls that open a circuit breaker; 0: it never opens.'
),
(
    'breaker.share', '0.5',
    'Calls to an origin are paused if at least this share of its calls failed.'
),
('breaker.window', '"1 minute"', 'Maximum age of the calls whose failures can pause an origin.'),
('breaker.slow_times', '5', 'A call is slow if it takes this many times the tool''s usual time.'),
(
    'breaker.slow_from', '"2 seconds"',
    'A call that is shorter than this never counts as slow. The value must be at least 1 second.'
),
('breaker.pause', '"10 seconds"', 'Pause before an origin is called again; it doubles each time.'),
('breaker.longest_pause', '"5 minutes"', 'Longest pause before an origin is called again.'),
(
    'breaker.probe', '"2 minutes"',
    'If a call that tests an origin after a pause does not end within this time, another call may '
    'test the origin.'
),
('call.keep', '"90 days"', 'Lifetime of calls in the call log; "0": they are kept forever.'),
(
    'receipt.keep', '"90 days"',
    'Lifetime of receipts (records of searches); "0": they are kept forever.'
),
(
    'login.transaction', '"60 s"',
    'Longest transaction of a psql login. The service ends longer transactions.'
),
(
    'login.settings', '65536',
    'Bytes of settings that a psql login may store for its own role (alter role). The service ends '
    'the sessions of a login that stores more; on the embedded server, it also resets the settings.'
),
(
    'login.blocking', '"2 s"',
    'Longest time that a psql login may keep sessions of others waiting for a lock. The service '
    'ends the sessions that they wait for.'
),
('login.sessions', '10', 'Number of psql sessions that a login may have at the same time.'),
('login.idle', '"8 hours"', 'Longest time that a psql session may be idle.'),
(
    'login.locks', '2000',
    'Number of locks that the psql sessions of a login may hold together. The service ends the '
    'sessions with the most locks.'
),
(
    'login.memory', '0.25',
    'Share of the machine''s memory, from 0 to 1, that the psql sessions of a login may hold '
    'together. The service ends the largest sessions. This applies to the embedded server.'
),
(
    'login.notifications', '0.05',
    'If the server''s queue of notifications is fuller than this, from 0 to 1, the service ends '
    'the psql sessions whose transactions are older than a second: one of them keeps '
    'notifications that all others have read.'
),
('job.keep', '"30 days"', 'Lifetime of entries in the job log.'),
('snapshots.keep', '7', 'Number of regular snapshots to keep.'),
('audit.keep_months', '0', 'Whole months of audit records to keep; 0: keep all.'),
(
    'call.terms',
    jsonb_build_object(
        'attempts', 3, 'arguments_bytes', 1000000, 'arguments_depth', 64, 'result_bytes', 16000000,
        'page_characters', 100000, 'believes', true
    ),
    'Default terms (limits and rules) for calls to tools; see catalog.call_terms.'
),
('answer.keep_keys', '"24 hours"', 'Lifetime of an idempotency key and its answer.'),
('answer.keep_pages', '"1 hour"', 'Lifetime of a large result that is read page by page.'),
('answer.largest', '16000000', 'Maximum size of a stored answer in bytes.'),
(
    'answer.most_bytes', '256000000',
    'Maximum size of all stored answers together, in bytes. If they are larger, the oldest are '
    'deleted.'
),
('reranker.directory', 'null', 'Folder of the reranker on the database server, for rerank().')
on conflict (name) do update
    set description = excluded.description;

-- Written again at every installation; sql/shared.sql reads it.
select
    core.report_capability(
        'own_database', s.is_own, 'rights that only roles of Quartermaster have in this database',
        'every login that may connect can make temporary tables, take advisory locks, write large '
        'objects, and see the numbers of rows and the sizes of tables; in psql, operations are '
        'called with their schema, such as api.select_tools (docs/doors.md)',
        case when not s.is_own then 'the database is shared, and nothing is taken from others' end
    )
from (select coalesce(current_setting('qm.shared', true), '') <> 'on' as is_own) as s;

-- Hooks and parts of tasks are registered again by later files, so that those of a kind which is gone
-- are gone.
delete from core.hook;
delete from selection.task_part;
insert into core.hook_point (name, arguments, returns, description)
values
(
    'project_removed', 'integer', 'jsonb',
    'Counts what goes with a project (its id), before it is removed: {cards, packages, scans}, '
    'without what has its audience.'
),
(
    'project_facts', 'integer', 'jsonb',
    'Tells what is known about a project (its id) in pairs of a heading and a text. A heading of '
    'null stands for the project.'
),
(
    'package_folder', 'integer', 'text',
    'Finds the folder with the packages that a project (its id) imports; null: not known.'
),
(
    'file_changed', 'integer, text, timestamp with time zone', 'boolean',
    'Tells whether a file of a project (its id; path below its root) has changed since a time.'
),
(
    'reason_given', 'integer, jsonb', 'void',
    'Takes what somebody decided in a project (its id), with the reason, as a candidate (see '
    'api.put_candidates).'
),
(
    'question_asked', 'text, ext.vector, real', 'jsonb',
    'Finds what was decided that fits a question (its text; its unit vector or null; the lowest '
    'cosine): [{kind, ref, told}], best first; the answer to the question contains told.'
)
on conflict (name) do update
    set
        arguments = excluded.arguments,
        returns = excluded.returns,
        description = excluded.description;
