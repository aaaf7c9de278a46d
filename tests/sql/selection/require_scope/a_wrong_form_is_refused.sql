begin;
select plan(15);

select is(selection.require_scope(null), '{}', 'nothing is no limit');
select is(selection.require_scope('null'), '{}', 'nor is JSON''s null');
select is(selection.require_scope('{"domain": "databases"}'), '{"domain": "databases"}', 'a text');
select is(selection.require_scope('{"among": [1, 2]}'), '{"among": [1, 2]}', 'ids');
select throws_ok(format('select selection.require_scope(%L)', w.form), 'QM422', null, w.form)
from (
    values ('[1]'), ('"x"'), ('1'), ('{"among": 1}'), ('{"among": ["1"]}'), ('{"among": [1.5]}'), ('{"among": [1.0]}'), ('{"among": [null]}')
) as w (form);

create function pg_temp.among(p_count integer) returns jsonb language sql as $$
    select jsonb_build_object('among', jsonb_agg(g.id)) from generate_series(1, p_count) as g (id)
$$;
select is(jsonb_array_length(selection.require_scope(pg_temp.among(10000)) -> 'among'), 10000, 'the packages of a large project');
select throws_ok('select selection.require_scope(pg_temp.among(300000))', 'QM422', 'scope is longer than 100000 characters', 'more than can be searched');
select throws_ok($$select selection.require_scope(jsonb_build_object('domain', repeat('x', 100000)))$$, 'QM422', 'scope is longer than 100000 characters', 'a long text');

select * from finish();
rollback;
