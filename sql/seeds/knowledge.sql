-- The domains of the experts, and the other words by which people and agents call them.
insert into knowledge.domain (name, description, aliases)
values
(
    'security', 'Attacks, authentication, access, cryptography, secrets and the supply chain.',
    '{application security, appsec, cybersecurity, infosec, sec}'
),
(
    'performance', 'Measuring and shortening the time that programs, pages and queries take.',
    '{optimisation, optimization, perf, scalability, speed}'
),
(
    'testing', 'Which tests to write, how, and what they prove.',
    '{qa, quality assurance, test, tests}'
),
(
    'code quality', 'Readable, correct and changeable code; Python in particular.',
    '{clean code, code, maintainability, quality, refactoring}'
),
(
    'software architecture', 'Parts of a system, their boundaries and how they talk.',
    '{arch, architecture, design, microservices, system design}'
),
(
    'development workflow', 'Version control, review, builds, releases and teams.',
    '{ci, cicd, delivery, devops, git, process, workflow}'
),
(
    'data privacy and compliance', 'Laws and standards about personal, health and card data.',
    '{compliance, data privacy, data protection, gdpr, privacy, regulation}'
),
(
    'accessibility', 'Software that people with disabilities can use; WCAG and ARIA.',
    '{a11y, accessible, wcag}'
),
(
    'user experience', 'What people understand, find and succeed with; design and research.',
    '{product design, ui, usability, user interface, ux}'
),
(
    'documentation', 'Texts about software, for people and for agents.',
    '{doc, docs, technical writing}'
),
(
    'AI frameworks', 'Training, adapting, serving and evaluating models.',
    '{ai, deep learning, llm, machine learning, ml}'
),
(
    'agents and learning', 'Agents, their tools and memory, retrieval, and learning from feedback.',
    '{agent, agent learning, agents, reinforcement learning, rl}'
),
(
    'observability', 'Metrics, logs, traces, alerts and incidents.',
    '{logging, monitoring, o11y, sre, telemetry}'
),
(
    'API design', 'Interfaces over HTTP, GraphQL and gRPC.',
    '{api, apis, http, rest, web api}'
),
(
    'cloud and infrastructure', 'Clouds, containers, Kubernetes, networks and their cost.',
    '{cloud, cloud infrastructure, docker, iac, infra, infrastructure, kubernetes}'
),
(
    'databases', 'Models, SQL, indexes, transactions and running databases.',
    '{data modelling, database, db, postgres, postgresql, sql}'
)
on conflict (name) do update
    set description = excluded.description, aliases = excluded.aliases;

insert into core.setting (name, value, description)
values
('knowledge.fresh_for', '730', 'Days for which a note counts as fresh after its last review.'),
(
    'knowledge.floor', '0.5',
    'Lowest confidence at which an expert answers. At this value, experts rightly refuse more than '
    'nine in ten questions that no note answers (docs/lab/knowledge-experts.md).'
),
(
    'knowledge.confidence',
    jsonb_build_object(
        'words', jsonb_build_object(
            'intercept', -2.922, 'similar', 6.231, 'covered', 3.139, 'unknown', -6.055,
            'dated', -3.032, 'particular', -4.26
        ),
        'vector', jsonb_build_object(
            'intercept', -3.854, 'similar', 10.917, 'unknown', -9.428, 'particular', -2.002,
            'factual', -0.956
        )
    ),
    'Weights of the parts of an expert''s confidence. The weights in "vector" apply if the '
    'question has a vector and knowledge.asks_fact names its model; otherwise, the weights in '
    '"words" apply.'
),
(
    'knowledge.asks_fact',
    $json$
    {"minilm-tools-2": {"intercept": -1.033, "weights": [
        1.34, 0.44, -0.44, 0.94, -0.96, 1.34, 0.4, -1.05, -4.39, 0.68, 2.32, -3.33,
        -1.83, 0.39, 0.34, 0.46, -1.9, 0.52, 3.94, -0.65, -1.26, 3, 2.55, -1.94, 2.19,
        -1.56, -3.07, 0.22, -0.1, 0.44, -1.05, -4.06, -0.58, 1.18, 1.98, -5.78, 1.6,
        -0.68, 0.96, 0.57, 2.32, 0.3, 0.06, 1.79, -2.18, -0.99, 0.93, 1.76, 3.97, 6.67,
        1.06, 1.01, 1.92, -2.17, 0.52, -0.73, -1.05, -1.25, 1.75, 0.24, -0.75, 1.45,
        -4.14, -5.57, -3.53, -1.13, -0.31, 0.39, -3.12, -3.13, 1.24, -1.79, 0.82, -6.4,
        -2.28, 2.82, 2.99, 0.78, -0.83, -2.05, 2.47, -1.56, -0.77, 3.66, 0.2, -1.3,
        -0.22, -1.03, -0.98, 1.49, 0.48, -1.62, -3.29, -1.31, -4.96, 0.52, -2.68,
        -1.61, 0.05, -0.36, -0.6, 1.59, 1.58, -0.44, 0.07, 0.47, -0.55, 1.19, -1.56,
        -1.92, -2.36, -0.57, 1.93, -3.8, -0.98, -2.31, 1.68, 0.94, -0.72, -1.04, 1.97,
        1.53, -0.39, 0.09, -1.9, 1.95, 1.74, 0, 0.25, 1.76, 2.45, -3.26, 1.61, 0.55,
        -0.39, 2.42, 2.2, -0.3, -1.62, -4.08, -4.92, -6.73, -5.11, -2.26, -1.81, -0.75,
        -4.22, 0.86, 0.27, 2.32, -0.34, -0.35, -3.08, 1.45, 2.09, 1.34, 1.41, 1.21,
        0.87, -0.19, 1.28, 0.14, 0.99, 3.01, -1.85, 0.82, -3.23, -0.12, 2.68, -1.83,
        3.12, -0.65, -1.97, -0.12, -1.1, 4.2, 4.41, -2.7, 2.98, 1.92, -7.61, 0.53,
        2.53, 0.08, 2.78, -0.92, 0.72, -0.4, 0.69, -0.54, 3.28, 0.06, -0.64, 2.21,
        -0.73, 0.4, -4.12, 0.92, 2.05, 1.4, 0.38, -1.16, -1.24, 0.78, -0.78, 0.77, 0.6,
        -1.79, -0.67, 0.25, -0.4, 2.88, -0.93, -1.12, -0.1, 0.65, 2.83, -2.74, -1.84,
        -3.28, 1.49, -1.01, 2.4, 0, 2.04, 0.15, 3.62, -1.06, 1.09, -3.22, 3.33, 4.14,
        -0.11, 1.24, 4.64, 3.66, -1.5, 1.07, 3.49, 1.01, 1.9, 1.95, 0.45, -2.32, 0.66,
        0.77, 0.49, 0.82, 0.61, -1.44, 3.4, 0.59, 1.34, -0.92, -0.02, 0.48, -1.26,
        -1.08, 0.84, -0.01, -0.15, 2.12, -3.11, 1.95, 4.04, -1.95, 0.81, 0.14, -1.38,
        -0.56, 1.03, -1.86, 2.65, 1.93, 0.57, 2.48, -1.08, 2.34, 2.88, -0.18, 2.01,
        -2.34, -0.3, -1.5, 1.07, 0.21, -4.12, -3.28, 4.06, 1.86, -0.49, 3.29, -2.54,
        0.5, 0.76, 4.25, 2.29, 4.92, 0.23, 1.35, 0.82, 0.31, 1.06, 0.15, -3.67, -0.62,
        1.11, -0.72, 0.35, -2.3, 0.87, 2.15, -0.79, 2.52, 1.49, 0.88, 2.23, -1.75,
        2.54, 0, -0.15, 0.33, -0.46, 0.16, -1.26, -0.77, 2.03, 0.27, -4.25, 0.24, 1.28,
        -1.6, 0.94, 0, -2.2, -0.74, 3.31, 0.61, 0.51, -2.89, -0.35, -4.73, -2.63,
        -1.74, -0.19, -3.8, -2.12, -1.31, -1.65, 1.3, 0.22, -1.51, 0.23, -5.34, -1.9,
        2.72, -1.94, 2.21, 0.81, 2.67, -0.8, -0.37, -1.81, 1.6, -1.07, 4.94, -1.29,
        2.16, 1.06, 0.7, -1.84, -2.01, -0.11, -1.76, -1.63, -0.89, -0.29, 1.5, 0.8,
        -0.98, -2.42, -1.71, -2.79, -2.75
    ]}}
    $json$,
    'For each model: a constant, and a weight for each dimension of a question''s vector. They '
    'give the probability that a question asks for a fact about the asker''s own affairs or about '
    'another field, and not for advice (qm eval fit-experts).'
),
(
    'knowledge.dated',
    to_jsonb(
        '\m(yesterday|today|tomorrow|tonight|currently|right now'
        || '|at (the moment|present)'
        || '|(this|next|last) (morning|night|week|month|year|quarter|sprint|spring|summer|autumn'
        || '|winter|release|sale|weekend|\w+day)|on (mon|tues|wednes|thurs|fri|satur|sun)day'
        || '|(in|last|of) (january|february|march|april|june|july|august|september|october'
        || '|november|december)|(in|last) may|on \d+ (january|february|march|april|may|june|july'
        || '|august|september|october|november|december)'
        || '|(is|are) the (latest|newest)|(latest|newest) (version|release)|come out'
        || '|(what|when) will\M(?!.*\m(happen|break|change if|i|we|if|when|my|our)\M)'
        || '|(price|licence|license|subscription|seat)\M.*\m(now|year|month|cost)'
        || '|price of|per (hour|user|seat|core|million) (now|today)'
        || '|(cost|charge)\M.*\m(now|per hour|this year))\M'
    ),
    'Regular expression for questions about a date, about what is newest or comes, and about '
    'prices of the day, which no note can answer.'
),
(
    'knowledge.particular',
    to_jsonb(
        '^(what|which|who|whose|where|when|how (much|many|long|often|big|large|old|fast))\M'
        || '(?!.*\m(should|must|may|can|could|need|do i|do we|would)\M).*\m(our|my|us|ours|mine)\M'
        || '|^who (wrote|owns|holds|maintains|chose|knows|\w+ed)\M|^who (has|may|have)\M.*\mour\M'
        || '|\mdid (we|our|the (team|vendor|board|partner|customer|auditor|consultant|users?'
        || '|\w+ team))\M(?!.*\m(wrong|miss|forget|break)\M)'
        || '|^(how (many|much|long|often)|where|which|what)\M.*\mdo we '
        || '(have|keep|store|run|own|pay|span|log)\M'
        || '|\mwhich (colleague|customer|employee)\M'
    ),
    'Regular expression for questions about facts of the asker, which only notes of a project '
    'can answer.'
),
(
    'knowledge.decision_floor', '0.4',
    'Lowest cosine at which a decision is shown as an answer. Of the questions without an '
    'answer, 95 % have no passage with a higher cosine (docs/lab/knowledge-experts.md).'
),
(
    'symbols.compared', '12',
    'Number of the best objects of a look-up that a model compares with the question a second time '
    '(docs/lab/knowledge.md).'
),
(
    'task.time_ms', '120', 'Time in milliseconds after which start_task starts no further part of '
    'its answer.'
),
(
    'task.scores', '{"tool": [-0.958, 0.911], "note": [-3.226, 1.815], "symbol": [-3.084, 1.047]}',
    'An intercept and a slope for each part of the answer from start_task. They make the scores of '
    'the parts comparable.'
),
(
    'task.symbol_floor', '0.01',
    'Lowest learned score at which start_task offers a symbol (docs/lab/knowledge-tables.md).'
),
(
    'task.floor', '0.015',
    'Lowest score at which start_task offers a tool or a note (docs/lab/knowledge-tables.md).'
),
('documents.fresh_for', '168', 'Number of hours after which documentation is fetched again.'),
(
    'documents.megabytes', '50', 'Maximum size of all fetched documentation; the oldest is removed '
    'first.'
),
(
    'documents.failures', '3', 'Number of consecutive failures after which requests to a provider '
    'pause.'
),
(
    'documents.pause_s', '60', 'Length of the first pause of requests to a provider, in seconds; '
    'each further failure doubles the pause.'
),
('knowledge.loaded', 'null', 'Digest of the notes that were last loaded from this release.')
on conflict (name) do update
    set description = excluded.description;
