begin;
select plan(5);

select t.make_project('shop', 'alice'), t.make_principal('bob');
select t.scan_file('alice', 'a.py', t.scans('{}', '{"ruff": "error", "mypy": "skipped", "ty": "skipped"}'));
create function pg_temp.wanted(p_tool text, p_other jsonb default '{}') returns jsonb language sql as $$
    select jsonb_build_array(jsonb_build_object('tool', p_tool, 'tool_version', '1', 'config_hash', '', 'context_hash', '') || p_other)
$$;
create function pg_temp.reused(p_wanted jsonb) returns text language sql as $$
    select string_agg(r, ' ') from service.reuse_scans('a.py', left(md5('a') || md5('a'), 40), p_wanted, 'shop') as r
$$;
select is(pg_temp.reused(pg_temp.wanted('bandit') || pg_temp.wanted('ruff')), 'bandit', 'one that failed is made again');
select is(
    pg_temp.reused(pg_temp.wanted('bandit', '{"config_hash": "x"}') || pg_temp.wanted('radon', '{"context_hash": "x"}')), null,
    'and so is one with another configuration, or beside other files'
);
select is(pg_temp.reused(pg_temp.wanted('mypy') || pg_temp.wanted('ty', '{"also_skipped": true}')), 'ty', 'one that was skipped, if nothing else was in its way');
select t.act_as_superuser();
select ok(
    (select s.used_at > o.used_at from quality.scan as s, quality.scan as o where s.tool = 'ty' and o.tool = 'vulture'),
    'one that is used again is the newest'
);
select t.act_as('bob');
select throws_ok($$select service.reuse_scans('a.py', repeat('a', 40), '[]', 'alice/shop')$$, 'QM404', null, 'no member');

select * from finish();
rollback;
