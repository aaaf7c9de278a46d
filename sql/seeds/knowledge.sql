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
    'testing', 'Which tests to write, how to write them, and what they prove.',
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
    'knowledge.floor', '0.3',
    'Lowest confidence at which an expert answers. At this value, experts rightly decline to '
    'answer nine in ten questions that no note answers (docs/lab/knowledge-experts.md).'
),
(
    'knowledge.confidence',
    jsonb_build_object(
        'words', jsonb_build_object(
            'intercept', -3.769, 'similar', 6.231, 'covered', 3.139, 'unknown', -6.055,
            'dated', -3.032, 'particular', -4.26
        ),
        'vector', jsonb_build_object(
            'intercept', -4.48, 'similar', 10.657, 'unknown', -8.985, 'particular', -1.721,
            'factual', -1.165
        )
    ),
    'Weights of the parts of an expert''s confidence. The weights in "vector" apply if the '
    'question has a vector and knowledge.asks_fact names its model; otherwise, the weights in '
    '"words" apply.'
),
(
    'knowledge.asks_fact',
    $json$
    {"minilm-tools-2": {"intercept": -0.817, "weights": [
        1.46, 0.58, -1.69, 0.58, -1.15, 2.04, 0.14, 0.05, -4.81, 0.86, 1.47, -3.32,
        -1.03, -0.62, 0.21, 1.32, -1.27, -0.03, 2.5, -1.7, -1.07, 2.32, 1.81, -1.06,
        2.61, -1.37, -2.24, 1.09, -0.22, 1.57, -1.3, -4.12, -0.63, 0.68, 1.1, -4.44,
        1.1, 0.8, 1.45, 1.82, 2.14, 0.53, -0.19, 0.84, -1.51, -0.57, 0.77, 1.79, 2.79,
        5.74, 1.61, -0.04, 2.44, -2.45, 1.08, -1.31, -0.88, -1.52, 1.66, -0.31, -0.14,
        0.97, -4.3, -4.1, -3.08, -1.16, 0.16, -0.09, -2.1, -2.56, 0.67, -1.94, 1.39,
        -5.2, -1.53, 1.95, 1.84, 2.01, -1.11, -1.85, 2.0, -1.71, -0.39, 3.35, 0.82,
        -1.38, -0.66, -1.37, -0.93, 0.94, 1.17, -1.44, -2.36, -1.44, -3.78, 0.35,
        -2.34, -1.1, -1.01, -0.26, 0.01, 0.61, 0.51, -0.73, -1.73, 0.43, 0.2, 1.63,
        -1.9, -1.74, -2.2, 0.04, 1.78, -3.15, 0.5, -2.31, 0.92, 1.24, 0.05, -1.19,
        1.41, 0.71, -1.1, 1.57, -1.84, 0.76, 1.44, -0.0, -0.41, 1.52, 1.39, -2.87,
        1.64, 0.82, -0.15, 1.54, 2.08, -0.08, -1.14, -2.54, -3.62, -4.68, -4.93, -1.44,
        -1.71, -0.27, -3.67, 0.7, 0.26, 2.53, -0.34, -0.28, -2.39, 1.53, 1.92, 0.97,
        0.83, 1.65, 0.2, -0.66, 1.1, 0.49, 0.43, 2.5, -2.05, -0.06, -2.89, -0.63, 2.35,
        -1.35, 3.37, -0.56, -1.25, -0.96, -0.82, 3.83, 4.64, -2.25, 3.23, 2.32, -6.63,
        0.28, 1.57, 0.34, 1.32, -0.63, 0.45, -0.4, 0.1, 0.83, 2.41, -0.17, -1.18, 1.74,
        -0.53, -0.19, -3.46, 0.69, 2.36, 2.12, -0.01, -0.71, -1.39, 0.32, -0.83, 1.11,
        0.05, -3.12, -0.29, -0.22, -0.15, 2.52, -1.67, -1.35, -0.19, 0.57, 2.11, -1.32,
        -2.53, -2.65, 0.75, -1.42, 2.06, -0.0, 2.95, 0.59, 4.05, -1.74, 1.63, -2.5,
        3.6, 4.37, -0.48, 0.32, 3.42, 3.36, -0.73, 1.1, 2.54, 1.27, 1.24, 0.83, 0.8,
        -2.74, 1.42, 1.85, -0.29, 0.35, 0.53, -1.47, 3.04, 0.75, 0.47, -0.55, 0.47,
        1.45, -1.16, -1.48, 0.77, 0.69, -0.52, 1.19, -2.3, 1.07, 2.0, -1.6, 0.73,
        -0.05, -1.18, -0.17, 0.94, -1.37, 1.98, 0.94, 0.12, 2.73, -1.27, 2.36, 2.04,
        -1.5, 1.68, -2.48, -0.83, -1.34, 0.87, 0.97, -4.11, -3.76, 3.7, 1.65, -0.89,
        2.87, -1.84, 0.72, 1.02, 3.16, 3.04, 4.12, 0.03, -0.11, 0.68, 1.12, 0.3, 0.47,
        -3.27, -0.79, 1.29, -0.58, -0.16, -1.45, 1.0, 2.07, -0.45, 1.83, 1.08, 0.5,
        1.68, -1.03, 3.78, -0.0, 0.34, 1.28, -0.33, 0.28, -1.39, -0.9, 1.59, -0.24,
        -4.69, 0.08, 1.36, -1.67, 0.42, 0.94, -2.49, -0.73, 2.14, -0.1, 0.5, -3.5,
        -0.62, -4.33, -1.85, -2.14, 0.25, -2.87, -1.22, -2.52, -0.45, 0.48, 0.28,
        -0.86, -0.41, -4.56, -2.78, 3.22, -0.4, 1.73, 1.48, 3.07, 0.55, 0.08, -1.24,
        0.83, -0.36, 3.98, -0.32, 2.0, 1.29, 0.94, -1.13, -1.77, -0.49, -1.35, -1.58,
        -1.27, -0.17, 0.54, 0.67, -1.44, -0.98, -1.53, -2.37, -2.27
    ]}}
    $json$,
    'For each model: a constant, and a weight for each dimension of a question''s vector. They '
    'give the probability that a question cannot be answered by general notes: it asks for a fact '
    'about the asker''s own affairs, or it is about a field without notes (qm eval fit-experts).'
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
    'Regular expression for questions about the asker''s own affairs, which only notes of a '
    'project can answer.'
),
(
    'knowledge.decision_floor', '0.4',
    'Lowest cosine at which a decision is shown as an answer. Of the questions without an '
    'answer, 95 % have no passage with a higher cosine (docs/lab/knowledge-experts.md).'
),
(
    'symbols.compared', '12',
    'Number of the best results of a lookup that a model compares with the question once more '
    '(docs/lab/knowledge.md).'
),
(
    'task.time_ms', '120', 'Time in milliseconds after which start_task begins no further part of '
    'its answer.'
),
(
    'task.scores', '{"tool": [-1.2, 1.015], "symbol": [-2.861, 0.967]}',
    'An intercept and a slope for tools and symbols in the answer from start_task. With them, the '
    'scores of tools and symbols are comparable with the probabilities of notes.'
),
(
    'task.symbol_floor', '0.002',
    'Lowest score at which start_task offers a symbol (docs/lab/knowledge-tables.md).'
),
(
    'task.best_symbol', '0.01',
    'Lowest score of the best symbol at which start_task offers symbols at all.'
),
(
    'task.floor', '0.008',
    'Lowest score at which start_task offers a tool (docs/lab/knowledge-tables.md).'
),
(
    'task.note', '{"intercept": -3.804, "similar": 2.114, "covered": 1.726, "score": 2.432}',
    'Weights with which the probability that a note helps with a task is computed.'
),
(
    'task.note_floor', '0.35',
    'Lowest probability at which start_task offers a note (docs/lab/knowledge-tables.md).'
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
