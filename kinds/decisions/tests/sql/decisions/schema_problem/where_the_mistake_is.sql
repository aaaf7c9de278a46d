begin;
select plan(2);

create function pg_temp.problem(p_value jsonb) returns text language sql return decisions.schema_problem('{
    "type": "object", "required": ["form"], "additionalProperties": false, "minProperties": 1, "properties": {
        "form": {"const": "ruff"}, "kind": {"enum": ["a", "b"]}, "rule": {"type": "string", "pattern": "^[A-Z]", "maxLength": 4}, "paths": {"type": "array", "minItems": 1, "items": {"type": "string"}}
    }
}', p_value);
select is(pg_temp.problem('{"form": "ruff", "kind": "b", "rule": "E501", "paths": ["src/**"]}'), null, 'nothing is wrong with a good value');
select results_eq(
    $$select pg_temp.problem(v) from unnest(array[
        '[]', '{}', '{"kind": "a"}', '{"form": "sh"}', '{"form": "ruff", "kind": "c"}', '{"form": "ruff", "rule": "e501"}', '{"form": "ruff", "rule": "E5011"}', '{"form": "ruff", "paths": []}',
        '{"form": "ruff", "paths": ["a", 5]}', '{"form": "ruff", "run": "rm"}'
    ]::jsonb[]) as v$$,
    array[
        'check must be an object', 'check is too short or too long', 'check lacks form', 'check.form must be ruff', 'check.kind must be one of ["a", "b"]', 'check.rule must match ^[A-Z]',
        'check.rule is too short or too long', 'check.paths is too short or too long', 'check.paths[2] must be a string', 'check has the unknown member run'
    ], 'the first mistake and its place'
);

select * from finish();
rollback;
