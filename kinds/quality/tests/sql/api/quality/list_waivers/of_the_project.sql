begin;
select plan(4);

select t.make_project('shop', 'alice', 'bob'), t.make_project('blog', 'alice'), t.make_principal('mallory');
select t.at('2030-01-01');
select t.scan_file('alice', 'a.py', t.scans(), p_project => 'shop');
select api.waive('a.py', 'overall', 'It will be removed soon.', '2030-03-01', 'shop'), api.waive('a.py', 'coverage', 'It is generated code.', '2030-02-01', 'shop');
select t.at('2030-02-15');
select t.act_as('bob');
select results_eq(
    $$select w.path, w.what, w.reason, w.granted_by, w.granted_at, w.expires_at, w.is_over from api.list_waivers() as w$$,
    $$values
        ('a.py', 'coverage', 'It is generated code.', 'alice', '2030-01-01'::timestamptz, '2030-02-01'::timestamptz, true),
        ('a.py', 'overall', 'It will be removed soon.', 'alice', '2030-01-01', '2030-03-01', false)$$, 'with who granted them, and whether they are over'
);
select t.act_as('alice');
select is_empty($$select * from api.list_waivers('blog')$$, 'each project has its own');
select throws_ok($$select * from api.list_waivers()$$, 'QM409', null, 'a project is named');
select t.act_as('mallory');
select throws_ok($$select * from api.list_waivers('shop')$$, 'QM404', null, 'nobody else reads them');

select * from finish();
rollback;
