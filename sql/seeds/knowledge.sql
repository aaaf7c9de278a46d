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
    'Confidence below which an expert gives no answer: the smallest at which nine in ten '
    'questions without an answer get none (docs/lab/knowledge-experts.md).'
),
(
    'knowledge.confidence',
    jsonb_build_object(
        'intercept', -2.922, 'similar', 6.231, 'covered', 3.139, 'unknown', -6.055, 'dated', -3.032,
        'particular', -4.26, 'factual', -1
    ),
    'Weights of the parts of an expert''s confidence.'
),
(
    'knowledge.asks_fact',
    $json$
    {"minilm-tools-2": {"intercept": -0.126, "weights": [
        0.27, 0.89, -1.04, 0.07, -0.16, 1.15, 0.78, 0.37, -2, 0.86, 0.35, -0.61, -0.03, 0.17,
        -0.73, 1.47, -1.39, 0.08, 1.74, -0.88, -2.04, 1.37, 1.7, -0.07, 1.7, -1.57, -1.3,
        -0.08, 0.47, -0.64, -0.71, -1.41, 0.35, 0.31, 1.52, -2.89, 1.05, -0.16, 0.94, 0.16,
        1.46, 0.42, 0.14, 1.09, -0.91, 0.36, 0.41, 2.02, 1.67, 2.94, 0.79, 0.15, 1.03, -0.15,
        -0.5, 0.31, -1.19, -1.18, 1.08, 0.25, 0.11, -0.45, -0.99, -0.76, -2.66, -0.27, -0.39,
        -1.56, -1.49, -1.94, 0.43, -0.5, 1.56, -2.91, -0.89, 1.02, 1.38, 0.89, -0.47, -1.37,
        1.74, -1.61, -0.43, 1.23, -0.15, -1.26, -0.48, -0.02, 0.2, 1.25, -0.42, 0.44, -2.08,
        -0.84, -3.21, 0.08, 0.18, -0.71, 0.58, 1.16, -0.02, 1.56, 0.71, 0.04, -1.15, 0.99,
        -0.19, 1.54, -1.05, -0.09, -1.15, -1.15, -0.51, -2.65, -0.18, -1.8, 0.11, 0.88, -0.1,
        0.19, 0.54, 1.35, -1.09, 0.82, -1.68, 0.43, 1.6, 0, 0.13, 0.46, 0.51, -2.08, 1.03,
        0.76, 0.53, 0.76, -0.29, -1.26, -1.85, -2.63, -2.12, -3.29, -1.8, -1.68, -0.09, -0.95,
        -1.96, 0.45, 0.13, 1.01, 0.24, -0.59, 0.09, 1.02, 1.48, 0.72, 1.6, 0.34, 0.06, -1.09,
        -0.13, 0.86, 0.43, 0.8, -1.36, 0.81, -0.89, 0.22, 2.19, 0.21, 1.67, -0.47, -0.97, -0,
        -0.42, 2.15, 2.17, -1.18, 0.62, 1.28, -3.37, 1.37, 1.56, 0.3, -0.28, 0.11, 1.14, -0.08,
        1.11, 0.77, 1.13, 0.25, -0.72, -0.32, 0.84, -1.32, -1.51, 1.52, -0.03, 0.97, 1.05,
        -1.25, -0.23, 1.13, -0.29, 0.17, -0.15, -0.73, 0.12, 0.02, 0.21, 2.01, 1.02, -1.3,
        -0.84, 0.42, 1.08, -1.75, -1.03, -1.69, -0.54, 0.39, -0.22, 0, 0.29, 0.74, 1.84, -1,
        0.77, -0.75, 1.32, 3.2, -1.02, 1.67, 3.68, 2.44, 0.01, 0.6, 1.9, 0.93, 1.61, 1.23,
        0.28, -0.38, 0.47, 0.45, 0.52, 0.29, 0.13, -0.41, 2.51, 0.94, 0.73, -0.39, 0.17, 0.04,
        -1.24, -0.41, 0.44, -0.26, -0.4, 1.41, -1.23, 0.6, 1.25, -0.69, 0.24, 0.28, 0.27,
        -0.12, 1.18, -0.78, 1.19, 0.12, -0.14, -0.09, -0.53, 1.24, 0.76, 0.22, 0.8, 0.77, 0.74,
        -1.74, -0.06, 1.26, -1.09, -1.79, 2.37, 1.04, 0.42, 1.55, -1.09, 0.41, 1, 1, 0.53,
        1.89, 0.43, 1.22, 0.14, 0.14, 0.59, 0.68, -1.34, 0.87, -0.01, -0.34, 1.57, -1.72,
        -0.05, 0.24, 0.06, 1.08, 0.86, 0.33, 0.67, -0.62, 0.79, 0, -0.32, 1.51, -1.03, 0.31,
        -0.49, -0.44, 1.36, 0.74, -2, 0.08, 0.04, -0.61, -0.15, 0.36, -1.09, -0, 0.03, 0.4, 1,
        -2.76, 0.26, -1.38, -0.29, -0.97, -0.66, -1.74, -1.22, -0.89, -0.59, -0.1, 0.27, 0.09,
        0.77, -3.61, -1.29, 0.91, -0.63, 1.4, -0.89, 0.5, -0.04, -0, -0.64, -1.06, -0.08, 1.71,
        -1.14, 0.11, 1.19, -0.27, 0.45, -0.19, 0.77, -0.93, -0.86, -0.63, -0.28, -1.29, -0.85,
        0.26, -1.05, -1.43, -0.44, -0.37
    ]}}
    $json$,
    'For each model, weights of the dimensions of a question''s vector and a constant: whether '
    'it asks for a fact about somebody''s own things and people (qm eval fit-experts).'
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
    'task.scores', '{"tool": [-0.958, 0.911], "note": [-3.226, 1.815], "symbol": [-3.084, 1.047]}',
    'By part of start_task: intercept and slope of the curve over the log odds of the raw score, '
    'so that scores are comparable.'
),
(
    'task.symbol_floor', '0.01',
    'Learned score below which start_task offers no symbol; one in 46 of those that are needed has '
    'less (docs/lab/knowledge-tables.md).'
),
(
    'task.floor', '0.015',
    'Score below which start_task offers no tool and no note. Of 194 goals, one loses what it '
    'needs by it (docs/lab/knowledge-tables.md).'
),
('documents.fresh_for', '168', 'Hours after which fetched documentation is fetched again.'),
('documents.megabytes', '50', 'Size of all fetched documentation; beyond, the oldest is removed.'),
('documents.failures', '3', 'After how many failures in turn a provider is not asked for a while.'),
('documents.pause_s', '60', 'Seconds for which it is not asked then; each failure doubles it.'),
('knowledge.loaded', 'null', 'Digest of the notes of Quartermaster that are loaded.')
on conflict (name) do update
    set description = excluded.description;
