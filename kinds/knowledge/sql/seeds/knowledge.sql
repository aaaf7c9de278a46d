-- The errors of this domain.
insert into core.error_code (slug, status, retryable, meaning, next_step)
values
(
    'environment_not_found', 404, false,
    'There is no such environment, or you are not a member of its project.',
    'Index the environment first: qm docs index --python PATH --project NAME.'
),
(
    'distribution_gone', 409, false,
    'A package of the environment was removed while the environment was read.',
    'Read the environment again: qm docs index.'
),
(
    'library_not_found', 404, false,
    'No library with this name is indexed, or you may not see it.',
    'Find its name with resolve-library-id or qm docs status, or index the installed packages: qm '
    'docs index.'
),
(
    'library_not_installed', 404, false,
    'This library was not read for the project, but it was read elsewhere.',
    'Look up the library without naming the project. If the project uses the library, run: '
    'qm docs index --project NAME.'
),
(
    'note_invalid', 422, false,
    'A note lacks a required field, a field has the wrong form, or two notes have the same name.',
    'Check the file with: qm knowledge validate FILE.'
),
(
    'project_note_not_found', 404, false,
    'The project has no such note.',
    'List the notes with: qm knowledge list.'
),
(
    'domain_not_found', 404, false,
    'There is no domain with this name.',
    'List the domains with: qm knowledge experts.'
);

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
    'knowledge.floor', '0.3',
    'Lowest confidence at which an expert answers. At this value, experts rightly decline to '
    'answer nine in ten questions that no note answers (kinds/knowledge/docs/measured-experts.md).'
),
(
    'knowledge.lead', '0.02',
    'How much higher the score of a passage of a project must be, so that it comes before a '
    'passage of the notes that come with Quartermaster.'
),
(
    'knowledge.confidence',
    jsonb_build_object(
        'words', jsonb_build_object(
            'intercept', -3.769, 'similar', 6.231, 'covered', 3.139, 'unknown', -6.055,
            'dated', -3.032, 'particular', -4.26
        ),
        'vector', jsonb_build_object(
            'intercept', -5.709, 'similar', 8.004, 'unknown', -5.854, 'ahead', 7.387,
            'particular', -1.803, 'factual', -0.653
        )
    ),
    'Weights with which the confidence of an expert is computed. The weights in "vector" apply if '
    'the question has a vector and knowledge.asks_fact names its model; otherwise, the weights in '
    '"words" apply.'
),
(
    'knowledge.asks_fact',
    $json$
    {"minilm-tools-4": {"intercept": -0.51, "weights": [
        1.6, 0.62, -2.24, 1.21, -0.96, 1.06, 1.34, 0.7, -4.01, 1.02, 1.72, -3.13,
        -0.45, -0.54, -0.85, 2.13, -2.17, 0.38, 3.32, -0.93, -0.58, 1.86, 1.92,
        -0.91, 2.35, -1.57, -2.6, 1.63, -0.29, 1.59, -0.64, -4.3, 0.06, 0.87, 0.99,
        -3.79, 2.24, 0.34, 0.7, 0.82, 1.93, 0.38, 0.84, 1.03, 0.07, -0.76, 0.94,
        1.58, 2.93, 5.52, 2.0, -0.26, 1.87, -1.29, 1.43, -0.82, -0.63, -0.99, 2.52,
        -0.45, -0.71, 0.83, -3.7, -3.01, -2.81, -0.42, 0.96, -0.23, -1.67, -3.63,
        -0.0, -2.26, 2.09, -3.67, -0.96, 2.74, 1.4, 2.68, -1.07, -2.92, 1.07, -1.03,
        -0.46, 3.14, 0.48, -1.83, -0.84, -0.14, -1.4, 0.65, 2.12, -0.34, -2.57,
        -1.48, -3.89, 1.09, -2.48, -1.35, -1.27, -0.91, -0.12, 1.08, 0.28, -1.37,
        -2.08, 0.31, 0.77, 1.9, -2.29, -1.11, -1.85, 0.5, 1.91, -3.2, 0.33, -2.48,
        1.29, 1.12, 0.19, -0.24, 1.51, 1.06, -0.51, 1.69, -1.57, 2.7, 1.3, 0.03,
        -0.17, 1.1, 0.93, -2.02, 1.9, 0.57, -0.17, 0.22, 1.99, -0.69, -1.18, -1.81,
        -3.26, -4.08, -3.76, -1.04, -3.43, -0.62, -3.81, 1.57, 0.45, 3.27, -0.78,
        -0.33, -2.19, 2.31, 2.21, 0.3, -0.1, 2.37, 0.87, -0.86, 1.38, 0.7, 0.43,
        3.36, -3.21, 0.39, -2.66, 0.58, 2.32, -2.16, 3.3, -0.66, -2.58, -1.22,
        -1.01, 4.21, 5.27, -1.76, 3.6, 1.63, -6.69, 0.29, 0.89, -0.32, 1.87, -0.54,
        1.17, 0.44, 0.85, 1.54, 2.32, 0.62, -0.25, 0.9, -0.07, -0.98, -2.68, 0.7,
        2.22, 1.94, 0.29, -1.2, -1.16, 0.31, -1.33, 1.36, -0.69, -3.78, 0.2, 0.22,
        0.26, 2.82, -2.26, -2.41, -0.18, 2.18, 1.91, -1.56, -2.74, -1.92, 1.02,
        -1.67, 1.2, -0.0, 3.38, 0.19, 3.68, -2.1, 0.98, -2.8, 3.55, 5.29, -1.09,
        -0.01, 2.96, 2.85, -1.06, 0.69, 2.74, 1.52, 1.24, 0.67, 0.48, -3.05, 0.72,
        1.44, 0.21, 1.45, 0.14, -1.21, 2.42, 0.97, -0.33, 0.22, 0.84, 0.53, -1.53,
        0.13, 1.68, 0.76, -1.02, 1.96, -2.35, 0.74, 1.56, -1.08, 0.66, -0.09, -0.85,
        0.13, 0.27, -0.32, 2.3, 0.56, 0.78, 2.94, -1.53, 2.27, 1.87, -1.38, 1.95,
        -1.82, -1.77, -1.72, 1.63, 0.89, -3.14, -3.41, 3.89, 1.28, -1.4, 2.21,
        -1.78, 0.3, 1.65, 2.83, 3.69, 3.59, 0.15, 0.34, 0.47, 0.76, 0.37, 0.75,
        -4.44, -0.29, 1.22, -0.46, 0.81, -1.63, 0.82, 0.43, -1.04, 2.59, 0.91, 1.61,
        1.69, -0.89, 4.3, -0.0, -0.21, 2.21, -0.94, -0.08, -1.58, -1.06, 2.01, 0.22,
        -3.66, -1.11, 1.23, -0.82, 0.33, 1.96, -2.27, -0.64, 2.51, 0.78, 0.72,
        -4.21, -0.41, -3.48, -1.34, -2.36, -0.06, -2.46, -0.54, -1.9, 0.19, 0.56,
        -0.8, -1.11, -0.8, -4.4, -3.33, 3.06, -0.35, 1.5, 0.87, 2.66, 1.73, 0.53,
        -1.28, -0.02, 0.58, 3.88, -1.31, 1.16, 1.72, -0.1, -1.98, -1.27, -0.53,
        -1.1, -1.95, -2.24, -0.3, -0.3, 0.47, -1.34, -0.98, -1.48, -2.31, -1.4
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
    'answer, 95 % have no passage with a higher cosine (kinds/knowledge/docs/measured-experts.md).'
),
(
    'symbols.compared', '12',
    'Number of top results of a documentation lookup that a model compares with the question '
    'again and puts into a new order (kinds/knowledge/docs/measured.md).'
),
(
    'task.symbol_floor', '0.002',
    'Lowest score at which start_task suggests a symbol (a class or function of a library) '
    '(kinds/knowledge/docs/measured-tables.md).'
),
(
    'task.best_symbol', '0.01',
    'start_task suggests symbols only if the best symbol has at least this score.'
),
(
    'task.note', '{"intercept": -3.446, "similar": 2.464, "covered": 1.609, "score": 1.969}',
    'Weights with which the probability that a note helps with a task is computed.'
),
(
    'task.note_floor', '0.4',
    'Lowest probability at which start_task suggests a note '
    '(kinds/knowledge/docs/measured-tables.md).'
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
