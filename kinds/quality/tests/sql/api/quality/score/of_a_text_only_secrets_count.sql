begin;
select plan(4);

select t.make_project('shop', 'alice'), t.make_principal('mallory');
select t.scan_file('alice', 'a.md', t.scans(jsonb_build_object('secrets', jsonb_build_array(t.finding('aws-key', 7, 'high', 798)))));
select results_eq(
    $$select s.category, s.score, trim_scale(s.weight), s.state, s.lost, s.missing from api.score('a.md') as s$$,
    $$values ('overall', 60.0, 1::numeric, 'known', 40.0, '{}'::text[]), ('security', 6.00, 1, 'known', 4.00, '{}')$$, 'each category that a checker reads, and all of them'
);
select t.scan_file('alice', 'a.md', t.scans('{}', '{"secrets": "absent"}'), 'new');
select results_eq($$select s.category, s.score, s.state, s.missing from api.score('a.md') as s$$, $$values ('overall', null::numeric, 'unknown', '{secrets}'::text[]), ('security', null, 'unknown', '{secrets}')$$, 'of the newest version');
select throws_ok($$select * from api.score('b.md')$$, 'QM404', null, 'a file that nobody has scanned');
select t.act_as('mallory');
select throws_ok($$select * from api.score('a.md', 'shop')$$, 'QM404', null, 'nobody else reads it');

select * from finish();
rollback;
