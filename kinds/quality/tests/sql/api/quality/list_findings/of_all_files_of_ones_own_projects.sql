begin;
select plan(6);

select t.make_project('shop', 'alice'), t.make_project('stall', 'alice'), t.make_project('vault', 'bob'), t.make_principal('boss', 'admin');
select t.scan_file('bob', 'v.py', t.scans(jsonb_build_object('ruff', jsonb_build_array(t.finding('F401', 1)))));
select t.scan_file('alice', 'a.py', t.scans(jsonb_build_object('ruff', jsonb_build_array(t.finding('F401', 1)))), p_project => 'shop');
select t.scan_file('alice', 'a.py', t.scans(jsonb_build_object('ruff', jsonb_build_array(t.finding('F841', 3, 'low')))), 'b', 'shop');
select t.scan_file('alice', 'b.py', t.scans(jsonb_build_object('ruff', jsonb_build_array(t.finding('F401', 2)))), p_project => 'stall');
select is_empty($$select * from api.findings as f where f.path = 'v.py'$$, 'not of another''s project');
select results_eq(
    $$select f.project, f.path, f.line, f.rule from api.findings as f$$,
    $$values ('alice/shop', 'a.py', 3, 'F841'), ('alice/stall', 'b.py', 2, 'F401')$$, 'of the newest version of each file'
);
select results_eq($$select f.path from api.list_findings('stall') as f$$, array['b.py'], 'or of one project');
select is_empty($$select f.path, f.rule from api.findings as f except select 'a.py', n.rule from api.findings('a.py', 'shop') as n except select 'b.py', n.rule from api.findings('b.py', 'stall') as n$$, 'nothing that the function findings does not list');
select throws_ok($$select * from api.list_findings('vault')$$, 'QM404', null, 'a project of others is not there');
select t.act_as('boss', 'qm_admin');
select is_empty($$select * from api.findings$$, 'no role makes anybody a member');

select * from finish();
rollback;
