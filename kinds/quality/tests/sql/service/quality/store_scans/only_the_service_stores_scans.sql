begin;
select plan(12);

select t.make_project('shop', 'alice');
select t.make_principal('bob'), t.make_principal('boss', 'admin');
select t.act_as('bob');
select throws_ok($$select service.store_scans('a.py', repeat('a', 40), t.scans(), 'shop')$$, 'QM404', null, 'no member');
select t.act_as('boss', 'qm_admin');
select throws_ok($$select service.store_scans('a.py', repeat('a', 40), t.scans(), 'alice/shop')$$, 'QM404', null, 'rank makes nobody a member');
select t.act_as('alice');
select throws_ok($$select service.store_scans('a.py', 'not a hash', t.scans())$$, '23514', null, 'a version has a hash');
select throws_ok(
    $$select service.store_scans('a.py', repeat('a', 40), '[{"tool": "ruff", "tool_version": "1", "config_hash": "", "context_hash": "", "status": "error", "elapsed_ms": 1, "findings": [], "metrics": {}}]')$$,
    '23514', null, 'what is not ok has a reason'
);
select isnt(t.scan_file('alice', 'a.py', t.scans(jsonb_build_object('ruff', jsonb_build_array(t.finding('F401', 1))))), null::bigint, 'a member''s service may');
select is((select count(*) from api.findings('a.py')), 1::bigint, 'its finding');
select t.scan_file('alice', 'a.py', t.scans('{}', '{"ruff": "error"}'));
select is((select count(*) from api.findings('a.py')), 0::bigint, 'a repeated scan replaces the former');
select is((select s.status from api.scans('a.py') as s where s.tool = 'ruff'), 'error', 'with its status');
select is_empty(
    $$select service.reuse_scans('a.py', left(md5('a') || md5('a'), 40), '[{"tool": "ruff", "tool_version": "1", "config_hash": "", "context_hash": ""}]')$$,
    'a scan that failed is made again'
);
select results_eq(
    $$select service.reuse_scans('a.py', left(md5('a') || md5('a'), 40), '[{"tool": "mypy", "tool_version": "1", "config_hash": "", "context_hash": ""}, {"tool": "bandit", "tool_version": "2", "config_hash": "", "context_hash": ""}]')$$,
    array['mypy'], 'one that read the file is used again, by the same version only'
);
select is_empty(
    $$select service.reuse_scans('b.py', left(md5('a') || md5('a'), 40), '[{"tool": "mypy", "tool_version": "1", "config_hash": "", "context_hash": ""}]')$$,
    'and never for another file, whatever it contains'
);
select t.act_as_superuser();
set local session authorization qm_owner;
select throws_ok($$select service.store_scans('a.py', repeat('a', 40), '[]')$$, 'QM403', null, 'a session of a person may not');

select * from finish();
rollback;
