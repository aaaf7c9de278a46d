-- The errors of this domain.
insert into core.error_code (slug, status, retryable, meaning, next_step)
values
(
    'decision_not_found', 404, false,
    'There is no such decision, or you are not a member of its project.',
    'To list the decisions of a project: qm decisions list.'
),
(
    'packet_not_found', 404, false,
    'There is no such packet of evidence, or you are not a member of its project.',
    'Call decisions_next_packet, and use the number that it returns. To create packets: qm '
    'decisions ingest.'
),
(
    'decision_curator_required', 403, false,
    'Only people who were appointed to curate decisions may approve, reject or change them.',
    'Ask an administrator to run: qm principal curator NAME --of decisions.'
),
(
    'decision_door_closed', 403, false,
    'Through the service, nobody can approve, reject or change decisions.',
    'Use qm decisions or psql on the machine that runs the database.'
),
(
    'decision_contradicted', 409, false,
    'A canonical decision says the opposite.',
    'Reject, edit or supersede one of the two, or record that both are valid: qm decisions '
    'resolve ID ID.'
),
(
    'decision_suspicious', 409, false,
    'The decision contains orders to the agents that read it, for example to ignore their '
    'instructions.',
    'Describe in other words what the code should do (qm decisions edit), or reject the '
    'decision.'
),
(
    'decision_superseded', 409, false,
    'Another decision has replaced this one.',
    'Approve the decision that replaced it.'
),
(
    'decision_exists', 409, false,
    'The project already has a decision with this scope and pattern.',
    'Merge the two: qm decisions merge ID ID.'
),
(
    'decision_invalid', 422, false,
    'The decision or the change is not valid.',
    'Correct the problem that the message names. kinds/decisions/docs/decisions.md '
    'describes the members of a decision.'
),
(
    'link_not_found', 404, false,
    'The two decisions are not linked.',
    'To see the links of a decision: qm decisions show ID.'
),
(
    'review_kept', 409, false,
    'Reviews of decisions are never changed or deleted.',
    'Add a new review instead.'
);

-- The forms of checks. kinds/decisions/quartermaster_decisions/checks.py evaluates them and contains the same schemas; a test
-- compares the two.
delete from decisions.check_form;
with part (part, schema) as (
    values
    ('text', '{"type": "string", "minLength": 1, "maxLength": 300}'::jsonb),
    (
        'texts',
        '{"type": "array", "minItems": 1, "maxItems": 200,
        "items": {"type": "string", "minLength": 1, "maxLength": 300}}'
    ),
    (
        'any texts',
        '{"type": "array", "minItems": 0, "maxItems": 200,
        "items": {"type": "string", "minLength": 1, "maxLength": 300}}'
    ),
    ('value', '{"type": "string", "maxLength": 60}'),
    ('rule', '{"type": "string", "pattern": "^[A-Z]{1,8}[0-9]{0,4}$"}'),
    ('flag', '{"type": "boolean"}'),
    ('true', '{"const": true}'),
    ('subject', '{"enum": ["class", "function", "method", "module"]}'),
    ('imports', '{"enum": ["absolute", "relative"]}'),
    ('tests', '{"enum": ["methods", "functions"]}')
),

-- The objects in a check, each member with the name of its part.
nested (part, least, members) as (
    values
    (
        'where', '{}'::jsonb,
        '{"bases": "texts", "decorators": "texts", "name_ends": "text", "name_starts": "text",
        "name": "text", "takes": "text", "public": "flag"}'::jsonb
    ),
    (
        'require', '{"minProperties": 1}',
        '{"bases": "texts", "decorators": "texts", "attribute": "text", "method": "text",
        "function": "text", "function_ends": "text", "class_ends": "text", "file_ends": "text",
        "calls": "texts", "name_ends": "text", "name_starts": "text", "first_parameter": "text",
        "returns_annotated": "true", "documented": "true", "is_async": "true", "imports": "texts",
        "imports_are": "imports", "tests_are": "tests", "header": "text", "assigned": "text",
        "assigned_from": "text"}'
    )
),

-- The members that each form demands, and all of its own members.
described (form, required, members, description) as (
    values
    (
        'base_class', '{where,bases}'::text[], '{"where": "where", "bases": "texts"}'::jsonb,
        'Classes have one of the given base classes.'
    ),
    (
        'call_through', '{old,new}', '{"old": "any texts", "new": "texts"}',
        'New code uses the new names instead of the old ones.'
    ),
    (
        'decorator', '{subject,where,decorators}',
        '{"subject": "subject", "where": "where", "decorators": "texts"}',
        'Classes or functions have one of the given decorators.'
    ),
    (
        'import_alias', '{target,alias}', '{"target": "text", "alias": "text"}',
        'A module is imported under its usual alias.'
    ),
    (
        'import_contract', '{forbidden}', '{"forbidden": "texts"}',
        'Files do not import the forbidden modules.'
    ),
    (
        'keyword', '{names,keyword}',
        '{"names": "texts", "keyword": "text", "value": "value", "value_begins": "text"}',
        'Calls or decorators pass the given keyword argument.'
    ),
    (
        'pattern', '{subject,where,require}',
        '{"subject": "subject", "where": "where", "require": "require"}',
        'Classes, functions or modules have the given properties.'
    ),
    (
        'raised', '{names}', '{"names": "texts", "caught": "texts", "not": "texts"}',
        'The code raises only errors of the given types, even when it catches one error and raises '
        'another.'
    ),
    (
        'replaced_import', '{old,new}', '{"old": "texts", "new": "texts"}',
        'New code imports the new names instead of the old ones.'
    ),
    ('ruff', '{rule}', '{"rule": "rule"}', 'Files do not violate the given ruff rule.'),
    (
        'written_only_through', '{allowed}',
        '{"allowed": "texts", "names": "texts", "module": "text", "fields": "texts"}',
        'Only the allowed files call the given functions, create objects of the classes of the '
        'given module, or set the given fields.'
    )
),

whole as (
    select part.* from part
    union all
    select
        n.part,
        n.least || jsonb_build_object(
            'type', 'object', 'additionalProperties', false,
            'properties', jsonb_object_agg(m.name, p.schema)
        ) as schema
    from nested as n
    cross join jsonb_each_text(n.members) as m (name, part)
    inner join part as p on p.part = m.part
    group by n.part, n.least
)

insert into decisions.check_form (form, description, schema)
select
    d.form,
    d.description,
    jsonb_build_object(
        'type', 'object', 'additionalProperties', false,
        'required', array_prepend('form', d.required),
        'properties', jsonb_object_agg(m.name, w.schema)
    ) as schema
from described as d
cross join
    jsonb_each_text(
        '{"form": "text", "paths": "texts", "except": "texts", "tests": "flag"}' || d.members
    ) as m (name, part)
inner join whole as w on w.part = m.part
group by d.form, d.description, d.required;

-- kinds/decisions/docs/measured.md tells how these numbers were found.
insert into decisions.tier (
    number, name, about, least_topic, enough_place, least_confidence, only_sources, most, reason
)
values
(
    1, 'here', 'path', 0.05, 0.5, 'low', false, 8,
    'If the scope names the file or its folder closely enough, the decision applies. Otherwise, '
    'it must share a word with the task.'
),
(
    2, 'elsewhere', 'elsewhere', 0.4, null, 'high', false, 8,
    'A decision about another path misleads the agent, unless nearly half of the task is about '
    'the decision and the code clearly follows it.'
),
(
    3, 'general', 'everything', 0.2, null, 'low', false, 8,
    'The decision must share about one in five of the important words of the task.'
),
(
    4, 'general', 'everything', 0, null, 'low', true, 4,
    'A task seldom mentions what applies to a whole language. In tests, code hardly ever '
    'depended on more than four such decisions.'
)
on conflict (number) do update
    set
        name = excluded.name, about = excluded.about, least_topic = excluded.least_topic,
        enough_place = excluded.enough_place, least_confidence = excluded.least_confidence,
        only_sources = excluded.only_sources, most = excluded.most, reason = excluded.reason;

insert into decisions.rank_weight (part, weight, reason)
values
('topic', 0.6, 'What a decision says about the task matters most.'),
(
    'place', 0.25,
    'A scope that fits the path closely breaks ties between decisions with similar topics.'
),
(
    'confidence', 0.1,
    'Strong evidence is worth a little, because a curator has approved every decision.'
),
(
    'utility', 0.1,
    'Outcomes are few, so they change the order only of decisions that are nearly equal.'
),
('cases', 0.3, 'What the code does often is what the next change does, too.')
on conflict (part) do update set weight = excluded.weight, reason = excluded.reason;

insert into core.setting (name, value, description)
values
(
    'decisions.cosine_none', '0.35',
    'A task and a decision count as not similar at all if the cosine of their vectors is at most '
    'this. Two texts about programming seldom have a lower cosine.'
),
(
    'decisions.cosine_same', '0.85',
    'A task and a decision count as fully similar if the cosine of their vectors is at least this.'
)
on conflict (name) do update
    set description = excluded.description;
