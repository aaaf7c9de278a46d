-- The forms of checks. service/quartermaster/decisions/checks.py evaluates them and contains the same schemas; a test
-- compares the two.
delete from decisions.check_form;
insert into decisions.check_form (form, description, schema)
values
(
    'base_class', 'Classes have one of the given base classes.',
    '{"type": "object", "properties": {"form": {"type": "string", "minLength": 1, "maxLength":
    300}, "paths": {"type": "array", "items": {"type": "string", "minLength": 1, "maxLength":
    300}, "minItems": 1, "maxItems": 200}, "except": {"type": "array", "items": {"type":
    "string", "minLength": 1, "maxLength": 300}, "minItems": 1, "maxItems": 200}, "tests":
    {"type": "boolean"}, "where": {"type": "object", "properties": {"bases": {"type": "array",
    "items": {"type": "string", "minLength": 1, "maxLength": 300}, "minItems": 1, "maxItems":
    200}, "decorators": {"type": "array", "items": {"type": "string", "minLength": 1,
    "maxLength": 300}, "minItems": 1, "maxItems": 200}, "name_ends": {"type": "string",
    "minLength": 1, "maxLength": 300}, "name_starts": {"type": "string", "minLength": 1,
    "maxLength": 300}, "name": {"type": "string", "minLength": 1, "maxLength": 300}, "takes":
    {"type": "string", "minLength": 1, "maxLength": 300}, "public": {"type": "boolean"}},
    "additionalProperties": false}, "bases": {"type": "array", "items": {"type": "string",
    "minLength": 1, "maxLength": 300}, "minItems": 1, "maxItems": 200}}, "required": ["form",
    "where", "bases"], "additionalProperties": false}'
),
(
    'call_through', 'New code uses the new names instead of the old ones.',
    '{"type": "object", "properties": {"form": {"type": "string", "minLength": 1, "maxLength":
    300}, "paths": {"type": "array", "items": {"type": "string", "minLength": 1, "maxLength":
    300}, "minItems": 1, "maxItems": 200}, "except": {"type": "array", "items": {"type":
    "string", "minLength": 1, "maxLength": 300}, "minItems": 1, "maxItems": 200}, "tests":
    {"type": "boolean"}, "old": {"type": "array", "items": {"type": "string", "minLength": 1,
    "maxLength": 300}, "minItems": 0, "maxItems": 200}, "new": {"type": "array", "items":
    {"type": "string", "minLength": 1, "maxLength": 300}, "minItems": 1, "maxItems": 200}},
    "required": ["form", "old", "new"], "additionalProperties": false}'
),
(
    'decorator', 'Classes or functions have one of the given decorators.',
    '{"type": "object", "properties": {"form": {"type": "string", "minLength": 1, "maxLength":
    300}, "paths": {"type": "array", "items": {"type": "string", "minLength": 1, "maxLength":
    300}, "minItems": 1, "maxItems": 200}, "except": {"type": "array", "items": {"type":
    "string", "minLength": 1, "maxLength": 300}, "minItems": 1, "maxItems": 200}, "tests":
    {"type": "boolean"}, "subject": {"enum": ["class", "function", "method", "module"]},
    "where": {"type": "object", "properties": {"bases": {"type": "array", "items": {"type":
    "string", "minLength": 1, "maxLength": 300}, "minItems": 1, "maxItems": 200}, "decorators":
    {"type": "array", "items": {"type": "string", "minLength": 1, "maxLength": 300}, "minItems":
    1, "maxItems": 200}, "name_ends": {"type": "string", "minLength": 1, "maxLength": 300},
    "name_starts": {"type": "string", "minLength": 1, "maxLength": 300}, "name": {"type":
    "string", "minLength": 1, "maxLength": 300}, "takes": {"type": "string", "minLength": 1,
    "maxLength": 300}, "public": {"type": "boolean"}}, "additionalProperties": false},
    "decorators": {"type": "array", "items": {"type": "string", "minLength": 1, "maxLength":
    300}, "minItems": 1, "maxItems": 200}}, "required": ["form", "subject", "where",
    "decorators"], "additionalProperties": false}'
),
(
    'import_alias', 'A module is imported under its usual alias.',
    '{"type": "object", "properties": {"form": {"type": "string", "minLength": 1, "maxLength":
    300}, "paths": {"type": "array", "items": {"type": "string", "minLength": 1, "maxLength":
    300}, "minItems": 1, "maxItems": 200}, "except": {"type": "array", "items": {"type":
    "string", "minLength": 1, "maxLength": 300}, "minItems": 1, "maxItems": 200}, "tests":
    {"type": "boolean"}, "target": {"type": "string", "minLength": 1, "maxLength": 300},
    "alias": {"type": "string", "minLength": 1, "maxLength": 300}}, "required": ["form",
    "target", "alias"], "additionalProperties": false}'
),
(
    'import_contract', 'Files do not import the forbidden modules.',
    '{"type": "object", "properties": {"form": {"type": "string", "minLength": 1, "maxLength":
    300}, "paths": {"type": "array", "items": {"type": "string", "minLength": 1, "maxLength":
    300}, "minItems": 1, "maxItems": 200}, "except": {"type": "array", "items": {"type":
    "string", "minLength": 1, "maxLength": 300}, "minItems": 1, "maxItems": 200}, "tests":
    {"type": "boolean"}, "forbidden": {"type": "array", "items": {"type": "string", "minLength":
    1, "maxLength": 300}, "minItems": 1, "maxItems": 200}}, "required": ["form", "forbidden"],
    "additionalProperties": false}'
),
(
    'keyword', 'Calls or decorators pass the given keyword argument.',
    '{"type": "object", "properties": {"form": {"type": "string", "minLength": 1, "maxLength":
    300}, "paths": {"type": "array", "items": {"type": "string", "minLength": 1, "maxLength":
    300}, "minItems": 1, "maxItems": 200}, "except": {"type": "array", "items": {"type":
    "string", "minLength": 1, "maxLength": 300}, "minItems": 1, "maxItems": 200}, "tests":
    {"type": "boolean"}, "names": {"type": "array", "items": {"type": "string", "minLength": 1,
    "maxLength": 300}, "minItems": 1, "maxItems": 200}, "keyword": {"type": "string",
    "minLength": 1, "maxLength": 300}, "value": {"type": "string", "maxLength": 60},
    "value_begins": {"type": "string", "minLength": 1, "maxLength": 300}}, "required": ["form",
    "names", "keyword"], "additionalProperties": false}'
),
(
    'pattern', 'Classes, functions or modules have the given properties.',
    '{"type": "object", "properties": {"form": {"type": "string", "minLength": 1, "maxLength":
    300}, "paths": {"type": "array", "items": {"type": "string", "minLength": 1, "maxLength":
    300}, "minItems": 1, "maxItems": 200}, "except": {"type": "array", "items": {"type":
    "string", "minLength": 1, "maxLength": 300}, "minItems": 1, "maxItems": 200}, "tests":
    {"type": "boolean"}, "subject": {"enum": ["class", "function", "method", "module"]},
    "where": {"type": "object", "properties": {"bases": {"type": "array", "items": {"type":
    "string", "minLength": 1, "maxLength": 300}, "minItems": 1, "maxItems": 200}, "decorators":
    {"type": "array", "items": {"type": "string", "minLength": 1, "maxLength": 300}, "minItems":
    1, "maxItems": 200}, "name_ends": {"type": "string", "minLength": 1, "maxLength": 300},
    "name_starts": {"type": "string", "minLength": 1, "maxLength": 300}, "name": {"type":
    "string", "minLength": 1, "maxLength": 300}, "takes": {"type": "string", "minLength": 1,
    "maxLength": 300}, "public": {"type": "boolean"}}, "additionalProperties": false},
    "require": {"type": "object", "properties": {"bases": {"type": "array", "items": {"type":
    "string", "minLength": 1, "maxLength": 300}, "minItems": 1, "maxItems": 200}, "decorators":
    {"type": "array", "items": {"type": "string", "minLength": 1, "maxLength": 300}, "minItems":
    1, "maxItems": 200}, "attribute": {"type": "string", "minLength": 1, "maxLength": 300},
    "method": {"type": "string", "minLength": 1, "maxLength": 300}, "function": {"type":
    "string", "minLength": 1, "maxLength": 300}, "function_ends": {"type": "string",
    "minLength": 1, "maxLength": 300}, "class_ends": {"type": "string", "minLength": 1,
    "maxLength": 300}, "file_ends": {"type": "string", "minLength": 1, "maxLength": 300},
    "calls": {"type": "array", "items": {"type": "string", "minLength": 1, "maxLength": 300},
    "minItems": 1, "maxItems": 200}, "name_ends": {"type": "string", "minLength": 1,
    "maxLength": 300}, "name_starts": {"type": "string", "minLength": 1, "maxLength": 300},
    "first_parameter": {"type": "string", "minLength": 1, "maxLength": 300},
    "returns_annotated": {"const": true}, "documented": {"const": true}, "is_async": {"const":
    true}, "imports": {"type": "array", "items": {"type": "string", "minLength": 1, "maxLength":
    300}, "minItems": 1, "maxItems": 200}, "imports_are": {"enum": ["absolute", "relative"]},
    "tests_are": {"enum": ["methods", "functions"]}, "header": {"type": "string", "minLength":
    1, "maxLength": 300}, "assigned": {"type": "string", "minLength": 1, "maxLength": 300},
    "assigned_from": {"type": "string", "minLength": 1, "maxLength": 300}}, "minProperties": 1,
    "additionalProperties": false}}, "required": ["form", "subject", "where", "require"],
    "additionalProperties": false}'
),
(
    'raised',
    'The code raises only errors of the given types, even when it catches one error and raises '
    'another.',
    '{"type": "object", "properties": {"form": {"type": "string", "minLength": 1, "maxLength":
    300}, "paths": {"type": "array", "items": {"type": "string", "minLength": 1, "maxLength":
    300}, "minItems": 1, "maxItems": 200}, "except": {"type": "array", "items": {"type":
    "string", "minLength": 1, "maxLength": 300}, "minItems": 1, "maxItems": 200}, "tests":
    {"type": "boolean"}, "names": {"type": "array", "items": {"type": "string", "minLength": 1,
    "maxLength": 300}, "minItems": 1, "maxItems": 200}, "caught": {"type": "array", "items":
    {"type": "string", "minLength": 1, "maxLength": 300}, "minItems": 1, "maxItems": 200},
    "not": {"type": "array", "items": {"type": "string", "minLength": 1, "maxLength": 300},
    "minItems": 1, "maxItems": 200}}, "required": ["form", "names"], "additionalProperties":
    false}'
),
(
    'replaced_import', 'New code imports the new names instead of the old ones.',
    '{"type": "object", "properties": {"form": {"type": "string", "minLength": 1, "maxLength":
    300}, "paths": {"type": "array", "items": {"type": "string", "minLength": 1, "maxLength":
    300}, "minItems": 1, "maxItems": 200}, "except": {"type": "array", "items": {"type":
    "string", "minLength": 1, "maxLength": 300}, "minItems": 1, "maxItems": 200}, "tests":
    {"type": "boolean"}, "old": {"type": "array", "items": {"type": "string", "minLength": 1,
    "maxLength": 300}, "minItems": 1, "maxItems": 200}, "new": {"type": "array", "items":
    {"type": "string", "minLength": 1, "maxLength": 300}, "minItems": 1, "maxItems": 200}},
    "required": ["form", "old", "new"], "additionalProperties": false}'
),
(
    'ruff', 'Files do not violate the given ruff rule.',
    '{"type": "object", "properties": {"form": {"type": "string", "minLength": 1, "maxLength":
    300}, "paths": {"type": "array", "items": {"type": "string", "minLength": 1, "maxLength":
    300}, "minItems": 1, "maxItems": 200}, "except": {"type": "array", "items": {"type":
    "string", "minLength": 1, "maxLength": 300}, "minItems": 1, "maxItems": 200}, "tests":
    {"type": "boolean"}, "rule": {"type": "string", "pattern": "^[A-Z]{1,8}[0-9]{0,4}$"}},
    "required": ["form", "rule"], "additionalProperties": false}'
),
(
    'written_only_through', 'Only the allowed files call the given '
    'functions, create objects of the classes of the given module, or set the given fields.',
    '{"type": "object", "properties": {"form": {"type": "string", "minLength": 1, "maxLength":
    300}, "paths": {"type": "array", "items": {"type": "string", "minLength": 1, "maxLength":
    300}, "minItems": 1, "maxItems": 200}, "except": {"type": "array", "items": {"type":
    "string", "minLength": 1, "maxLength": 300}, "minItems": 1, "maxItems": 200}, "tests":
    {"type": "boolean"}, "allowed": {"type": "array", "items": {"type": "string", "minLength":
    1, "maxLength": 300}, "minItems": 1, "maxItems": 200}, "names": {"type": "array", "items":
    {"type": "string", "minLength": 1, "maxLength": 300}, "minItems": 1, "maxItems": 200},
    "module": {"type": "string", "minLength": 1, "maxLength": 300}, "fields": {"type": "array",
    "items": {"type": "string", "minLength": 1, "maxLength": 300}, "minItems": 1, "maxItems":
    200}}, "required": ["form", "allowed"], "additionalProperties": false}'
);

-- docs/lab/decisions.md tells how these numbers were found.
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
