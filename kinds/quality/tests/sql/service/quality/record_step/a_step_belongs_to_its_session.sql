begin;
select plan(4);

select t.at('2026-01-01 12:00 UTC');
select t.make_project('shop', 'alice'), t.make_principal('bob');
select t.act_as('alice');
create temporary table steps as
select service.record_step('tapps_lookup_docs', subject => 'redis', elapsed_ms => 4, project => 'shop') as session;
select matches((select s.session from steps as s), '.', 'a first step begins a session');
select is(
    (select service.record_step('tapps_score_file', 'a.py', repeat('a', 40), session => s.session, project => 'shop') from steps as s),
    (select s.session from steps as s), 'another one belongs to the session that it names'
);
select t.act_as('bob');
select throws_ok($$select service.record_step('tapps_lookup_docs', project => 'alice/shop')$$, 'QM404', null, 'no member');
select t.act_as_superuser();
select results_eq(
    $$select s.tool, s.path, s.blob_hash, s.subject, s.elapsed_ms, s.taken_at from quality.step as s order by s.id$$,
    $$values
        ('tapps_lookup_docs', null, null, 'redis', 4::real, '2026-01-01 12:00 UTC'::timestamptz),
        ('tapps_score_file', 'a.py', repeat('a', 40), null, null, '2026-01-01 12:00 UTC')$$,
    'what was used, for what, and when'
);

select * from finish();
rollback;
