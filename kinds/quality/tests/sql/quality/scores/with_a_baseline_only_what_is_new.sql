begin;
select plan(2);

select t.make_project('shop', 'alice');
create temporary table version as
select
    t.scan_file('alice', 'a.md', t.scans(jsonb_build_object('secrets', jsonb_build_array(t.finding('aws-key', 7, 'high', 798)))), 'old') as old,
    t.scan_file('alice', 'a.md', t.scans(jsonb_build_object('secrets', jsonb_build_array(t.finding('aws-key', 7, 'high', 798), t.finding('aws-key', 9, 'low', 798)))), 'new') as new;
select t.act_as_superuser();
select results_eq($$select s.category, s.score, s.lost from version as v cross join lateral quality.scores(v.old) as s$$, $$values ('overall', 60.0, 40.0), ('security', 6.00, 4.00)$$, 'all that costs points');
select results_eq($$select s.category, s.score from version as v cross join lateral quality.scores(v.new, v.old) as s$$, $$values ('overall', 95.0), ('security', 9.50)$$, 'or only what an earlier version does not have');

select * from finish();
rollback;
