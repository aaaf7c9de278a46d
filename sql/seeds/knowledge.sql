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
    'knowledge.floor', '0.45',
    'Confidence below which an expert gives no answer: the smallest at which nine in ten '
    'questions without an answer get none (docs/lab/knowledge-experts.md).'
),
(
    'knowledge.confidence',
    jsonb_build_object(
        'words', jsonb_build_object(
            'intercept', -2.922, 'similar', 6.231, 'covered', 3.139, 'unknown', -6.055, 'dated', -3.032,
            'particular', -4.26
        ),
        'vector', jsonb_build_object(
            'intercept', -3.726, 'similar', 10.63, 'unknown', -9.045, 'particular', -1.798,
            'factual', -1.306
        )
    ),
    'Weights of the parts of an expert''s confidence: by words, and with the vector of the '
    'question, if knowledge.asks_fact was learned for its model.'
),
(
    'knowledge.asks_fact',
    $json$
    {"minilm-tools-2": {"intercept": -0.678, "weights": [
        0.71, 0.58, -0.23, 0.54, -0.69, 1.11, 0.28, -0.94, -2.56, 0.6, 0.58, -2.2,
        -1.25, -0.13, 0.47, 0.52, -1.01, 0.98, 2.08, -1.04, -0.81, 1.23, 2.14, -1.24,
        1.83, -0.82, -1.52, -0.05, 0.34, 0.05, -1.02, -2.28, -0.23, 0.77, 1.36, -3.82,
        1.06, -0.33, 1.4, -0.25, 1.19, 0.38, 0.28, 0.64, -1.3, -0.15, 0.15, 1.47, 2.8,
        4.31, 1.13, 0.21, 1.21, -0.87, 0.11, 0.36, -1.1, -1.21, 1.55, 0.19, -0.63,
        0.53, -2.58, -2.99, -3.07, -0.93, -0.22, -0.04, -1.82, -2.28, 0.35, -1.1, 1.62,
        -4.32, -1.92, 1.83, 2.37, 0.48, -0.7, -1.33, 1.41, -1.04, -0.15, 2.59, -0.5,
        -0.52, -0.15, -0.15, -0.83, 1.39, 0.25, -0.89, -2.39, -0.83, -3.17, 0, -1.69,
        -0.66, -0.03, 0.22, -0.05, 1.35, 0.85, -0.39, -0.78, 1.11, -0.26, 0.39, -0.85,
        -0.79, -1.73, -0.78, 1.47, -2.12, -0.16, -2.02, 1.08, 0.94, -0.54, -0.28, 0.77,
        1.28, -0.61, 0.22, -1.47, 1.7, 0.97, 0, 0.65, 1.05, 1.78, -2.09, 0.8, 0.16,
        0.27, 1.57, 1.17, -0.65, -1.22, -3.3, -3.25, -4.33, -3.16, -1.57, -1.37, -1.12,
        -2.88, 0.7, -0.58, 1.32, 0.35, -0.26, -1.33, 0.73, 1.47, 0.83, 1.42, 0.87,
        0.78, -0.54, 0.71, 0.15, 0.44, 1.69, -1.08, 0.9, -1.68, -0.27, 2.06, -1.09,
        2.14, -0.79, -1.13, -0.21, -0.28, 2.07, 3.09, -1.55, 1.77, 1.25, -5.32, 0.81,
        1.84, 0.21, 1.44, -0.35, 0.73, -0.38, 0.85, -0.1, 1.94, 0.07, -0.53, 0.61,
        0.02, -0.34, -3.06, 0.93, 0.96, 0.58, 0.49, -0.48, -0.56, 0.9, -0.49, 0.13,
        0.11, -1.32, 0.01, -0.09, -0.17, 2.39, 0.35, -0.83, -0.4, 0.98, 2.14, -2.01,
        -1.68, -2.46, 0.5, -0.62, 0.53, 0, 1.34, 0.37, 2.36, -0.96, 0.62, -1.61, 2.1,
        3, -0.14, 1.53, 3.17, 2.57, -0.62, 0.94, 2.62, 0.5, 1.54, 1.43, 0.19, -1.58,
        0.12, 0.68, 0.53, 0.59, 0.5, -1.33, 3.02, 0.58, 0.76, -0.5, 0.29, 0.25, -1.17,
        -0.32, 0.89, 0.19, -0.64, 0.77, -1.88, 1.64, 2.2, -1.58, 0.34, 0.51, -0.43,
        -0.34, 0.57, -1.28, 1.97, 0.99, 0.12, 1.36, -0.6, 1.04, 2.1, -0.16, 1.08,
        -1.15, 0.1, -0.73, 0.26, 0.92, -2.24, -1.96, 2.15, 1.24, 0.01, 1.85, -1.8, 0.3,
        0.7, 2.59, 1.74, 2.75, 0.09, 1.46, 0.24, -0.18, 1.16, 0.1, -2.16, -0.01, 0.56,
        -0.18, 0.37, -2, 0.45, 0.72, -0.15, 1.45, 0.6, -0.07, 1.44, -0.83, 1.79, 0,
        -0.27, 0.8, -0.09, -0.26, -0.79, -0.41, 1.38, 0.81, -2.64, 0.46, 0.92, -0.81,
        0.4, 0.46, -1.18, -0.39, 1.57, 0.57, 0.85, -2.61, -0.21, -2.43, -1.08, -1.09,
        -0.74, -2.49, -1.7, -1.08, -1, 0.32, 0.48, -0.99, 0.24, -3.99, -1.25, 1.42,
        -1.45, 1.78, 0.38, 1.46, -0.15, 0.03, -1.21, 0.46, -0.04, 3.25, -0.74, 0.78,
        0.65, 0.47, -0.69, -0.84, 0.53, -1.94, -1.91, -0.85, -0.25, 0.57, -0.09, -1.17,
        -1.18, -1.27, -2.03, -0.95
    ]}}
    $json$,
    'For each model, weights of the dimensions of a question''s vector and a constant: whether '
    'it asks for a fact about somebody''s own things and people, or about another field (qm eval '
    'fit-experts).'
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
    'Cosine below which a decision answers no question. Of the questions that nothing answers, '
    'nineteen in twenty have no passage above it (docs/lab/knowledge-experts.md).'
),
(
    'symbols.compared', '12',
    'How many of the first objects of a look-up a model compares with the question once more '
    '(docs/lab/knowledge.md).'
),
('task.time_ms', '120', 'Milliseconds after which start_task begins no further part.'),
(
    'task.scores', '{"tool": [-0.958, 0.911], "note": [-3.226, 1.815], "symbol": [-4.363, 2.634]}',
    'By part of start_task: intercept and slope of the curve over the log odds of the raw score, '
    'so that scores are comparable.'
),
('task.symbol_floor', '0.35', 'Cosine below which start_task offers no symbol.'),
('documents.fresh_for', '168', 'Hours after which fetched documentation is fetched again.'),
('documents.megabytes', '50', 'Size of all fetched documentation; beyond, the oldest is removed.'),
('documents.failures', '3', 'After how many failures in turn a provider is not asked for a while.'),
('documents.pause_s', '60', 'Seconds for which it is not asked then; each failure doubles it.'),
('knowledge.loaded', 'null', 'Digest of the notes of Quartermaster that are loaded.')
on conflict (name) do update
    set description = excluded.description;
