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
    'code quality', 'Code that is readable, correct and easy to change, in Python in particular.',
    '{clean code, code, maintainability, quality, refactoring}'
),
(
    'software architecture', 'The parts of a system, their boundaries and how they communicate.',
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
    'user experience', 'Interfaces that people understand and can use; design and research.',
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
(
    'knowledge.fresh_for', '730',
    'Number of days for which a note counts as up to date after its last review.'
),
(
    'knowledge.floor', '0.25',
    'Lowest confidence at which an expert answers. At this value, experts rightly decline to '
    'answer nine in ten questions that no note answers (docs/lab/knowledge-experts.md).'
),
(
    'knowledge.confidence',
    jsonb_build_object(
        'words', jsonb_build_object(
            'intercept', -4.02, 'similar', 6.231, 'covered', 3.139, 'unknown', -6.055,
            'dated', -3.032, 'particular', -4.26
        ),
        'vector', jsonb_build_object(
            'intercept', -5.838, 'similar', 8.673, 'unknown', -5.646, 'ahead', 7.25,
            'particular', -1.504, 'factual', -0.668
        )
    ),
    'Weights with which the confidence of an expert is computed. The weights in "vector" apply if '
    'the question has a vector and knowledge.asks_fact names its model; otherwise, the weights in '
    '"words" apply.'
),
(
    'knowledge.asks_fact',
    $json$
    {"minilm-tools-2": {"intercept": -0.789, "weights": [
        1.38, 0.46, -1.65, 0.69, -1.29, 2.27, 0.78, 0.23, -4.69, 0.86, 1.61, -3.23,
        -0.78, -0.64, -0.14, 1.46, -1.09, 0.15, 2.43, -1.51, -1.13, 2.51, 1.87,
        -1.14, 2.68, -1.33, -1.96, 1.33, -0.13, 1.18, -0.87, -4.25, -0.73, 0.86,
        0.93, -4.05, 1.15, 0.81, 1.81, 2.0, 2.21, 0.38, -0.01, 0.75, -1.46, -0.59,
        1.2, 1.81, 3.34, 5.9, 1.73, -0.15, 2.1, -2.39, 1.14, -1.32, -0.54, -1.83,
        2.19, 0.01, -0.17, 0.78, -4.16, -3.76, -2.76, -0.95, 0.07, -0.27, -1.8,
        -2.79, 0.44, -1.87, 1.9, -4.98, -1.23, 2.02, 1.77, 2.34, -1.01, -2.2, 1.52,
        -1.84, -0.33, 3.11, 0.66, -1.85, -0.72, -1.54, -1.27, 1.07, 1.46, -1.23,
        -2.21, -1.38, -3.97, 0.46, -2.6, -1.09, -1.07, 0.04, -0.38, 0.29, 0.31,
        -0.25, -1.71, 0.37, 0.3, 1.7, -2.17, -1.49, -2.11, -0.08, 1.77, -3.27, 0.02,
        -2.17, 0.41, 1.4, 0.17, -1.19, 1.74, 0.66, -1.31, 1.83, -1.8, 0.66, 1.54,
        -0.0, -0.39, 1.17, 1.34, -2.69, 1.72, 0.88, -0.21, 1.09, 2.08, -0.63, -1.04,
        -2.5, -3.47, -4.73, -4.55, -1.43, -1.64, -0.3, -3.81, 0.71, 0.5, 2.23,
        -0.15, -0.26, -2.39, 1.69, 1.9, 0.97, 0.39, 1.99, 0.5, -0.75, 0.56, 0.8,
        0.24, 2.52, -2.17, -0.13, -3.25, -0.48, 2.55, -1.16, 3.67, -0.52, -1.02,
        -0.99, -1.01, 3.67, 4.6, -2.3, 3.38, 2.57, -6.48, 0.59, 1.41, 0.45, 1.43,
        -0.64, 0.48, -0.31, 0.48, 0.77, 2.28, 0.03, -1.19, 1.92, -0.31, -0.21,
        -3.62, 0.37, 2.35, 2.07, -0.22, -0.55, -1.25, 0.43, -0.76, 1.43, -0.17,
        -3.37, -0.26, -0.01, -0.39, 2.39, -2.2, -1.8, -0.05, 0.81, 1.81, -1.23,
        -2.65, -2.58, 0.5, -1.51, 2.28, -0.0, 2.95, 0.75, 4.07, -2.12, 1.52, -2.53,
        3.74, 4.58, -0.6, 0.21, 3.46, 3.17, -0.67, 1.07, 2.82, 1.39, 1.42, 0.72,
        0.76, -2.86, 1.25, 1.93, -0.43, 0.52, 0.73, -1.49, 2.98, 0.99, 0.23, -0.45,
        0.31, 1.36, -1.12, -1.18, 0.77, 0.58, -0.62, 1.13, -2.55, 1.04, 1.87, -1.64,
        0.58, -0.38, -0.94, -0.22, 1.13, -1.0, 1.8, 0.71, -0.03, 3.13, -1.31, 1.94,
        1.77, -1.39, 2.01, -2.3, -1.08, -1.78, 1.01, 0.86, -4.23, -3.51, 3.77, 1.67,
        -1.34, 2.9, -2.04, 0.94, 1.33, 3.11, 3.03, 4.23, 0.14, -0.14, 0.61, 1.18,
        0.37, 0.61, -3.33, -0.64, 0.94, -0.61, -0.1, -1.68, 0.96, 1.75, -0.57, 1.84,
        0.91, 1.01, 2.11, -0.43, 3.78, -0.0, 0.16, 1.29, -0.15, -0.05, -1.48, -0.85,
        1.72, -0.18, -4.56, 0.04, 1.58, -1.57, 0.1, 1.07, -2.73, -0.82, 2.47, -0.03,
        0.7, -3.73, -0.6, -4.03, -1.91, -1.97, 0.44, -2.97, -0.79, -2.57, 0.1, 0.37,
        0.41, -1.11, -0.43, -4.94, -3.19, 3.42, -0.14, 1.82, 1.42, 2.62, 0.73,
        -0.05, -1.58, 0.36, -0.53, 3.9, -0.36, 1.75, 1.32, 0.71, -1.02, -1.79,
        -0.33, -1.96, -1.35, -1.07, -0.28, 0.23, 0.91, -1.42, -0.98, -1.45, -2.31,
        -2.1
    ]}}
    $json$,
    'For each model: a constant, and a weight for each dimension of a question''s vector. They '
    'give the probability that general notes cannot answer a question. Examples are a question '
    'about the caller''s own data or colleagues, and a question about a field without notes (qm '
    'eval fit-experts).'
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
    'Regular expression for questions that no note can answer: about a date, the newest version, '
    'the future, or a current price.'
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
    'Regular expression for questions that only notes of a project can answer: about the '
    'caller''s own data or colleagues.'
),
(
    'knowledge.decision_floor', '0.4',
    'Lowest cosine at which a decision is shown as an answer. Of the questions without an '
    'answer, 95 % have no passage with a higher cosine (docs/lab/knowledge-experts.md).'
),
(
    'symbols.compared', '12',
    'Number of top results of a documentation lookup that a model compares with the question '
    'again and puts into a new order (docs/lab/knowledge.md).'
),
(
    'task.time_ms', '120',
    'Time in milliseconds after which start_task leaves out the parts of its answer that it has '
    'not begun.'
),
(
    'task.scores', '{"tool": [-1.2, 1.015], "symbol": [-2.861, 0.967]}',
    'For tools and for symbols (classes and functions of libraries): an intercept and a slope '
    'that make their scores comparable with the probabilities of notes. start_task uses them.'
),
(
    'task.symbol_floor', '0.002',
    'Lowest score at which start_task suggests a symbol (a class or function of a library) '
    '(docs/lab/knowledge-tables.md).'
),
(
    'task.best_symbol', '0.01',
    'start_task suggests symbols only if the best symbol has at least this score.'
),
(
    'task.floor', '0.008',
    'Lowest score at which start_task suggests a tool (docs/lab/knowledge-tables.md).'
),
(
    'task.note', '{"intercept": -3.804, "similar": 2.114, "covered": 1.726, "score": 2.432}',
    'Weights with which the probability that a note helps with a task is computed.'
),
(
    'task.note_floor', '0.35',
    'Lowest probability at which start_task suggests a note (docs/lab/knowledge-tables.md).'
),
('documents.fresh_for', '168', 'Number of hours after which documentation is fetched again.'),
(
    'documents.megabytes', '50',
    'Maximum size of all fetched documentation, in megabytes. The oldest is removed first.'
),
(
    'documents.failures', '3', 'Number of consecutive failures after which requests to a provider '
    'pause.'
),
(
    'documents.pause_s', '60', 'Length of the first pause of requests to a provider, in seconds; '
    'each further failure doubles the pause.'
),
('knowledge.loaded', 'null', 'Hash of the notes that were last loaded from this release.')
on conflict (name) do update
    set description = excluded.description;
