begin;
select plan(7);

select is(concat_ws(': ', p.key, p.problem), w.problem, w.because)
from (
    values
    ('{}'::jsonb, '', 'every condition is optional'),
    ('{"tools": "a__*", "origins": ["b", "c"], "read_only": true}', '', 'three that are right'),
    (
        '{"named": "x", "names": []}', 'named: ''named'' is not a key; the keys are kinds, origins, tools, names, categories, read_only, destructive',
        'an unknown key comes first'
    ),
    ('{"names": []}', 'names: expected a name or a list of names', 'an empty list'),
    (jsonb_build_object('origins', repeat('x', 601)), 'origins: expected a name or a list of names', 'a name that is too long'),
    ('{"destructive": "yes"}', 'destructive: expected true or false', 'no truth value'),
    ('{"tools": "x", "names": "y"}', 'tools: the key tools already implies the kind, so it cannot be combined with kinds or names', 'tools and names')
) as w (object, problem, because)
cross join lateral policy.object_problem(w.object) as p;

select * from finish();
rollback;
