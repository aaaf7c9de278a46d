begin;
select plan(4);

select t.at('2026-01-01 12:00 UTC');
select t.make_project('shop', 'alice'), t.make_principal('bob');
create function pg_temp.baselines() returns table (commit text, blob text, set_at timestamptz) language sql as $$
    select b.commit, v.blob_hash, b.set_at
    from quality.baseline as b
    left join quality.file_version as v on v.id = b.file_version_id
    where b.path = 'a.py'
$$;
select t.scan_file('alice', 'a.py', t.scans());
select service.set_baseline('a.py', repeat('c', 40), left(md5('a') || md5('a'), 40), 'shop');
select t.act_as_superuser();
select results_eq(
    'select * from pg_temp.baselines()',
    $$values (repeat('c', 40), left(md5('a') || md5('a'), 40), '2026-01-01 12:00 UTC'::timestamptz)$$, 'the version in a commit'
);
select t.act_as('alice');
select service.set_baseline('a.py', repeat('d', 40), project => 'shop');
select t.act_as_superuser();
select results_eq(
    'select commit, blob from pg_temp.baselines()', $$values (repeat('d', 40), null::text)$$, 'the next one takes its place; a commit may lack the file'
);
select t.act_as('bob');
select throws_ok($$select service.set_baseline('a.py', repeat('d', 40), project => 'alice/shop')$$, 'QM404', null, 'no member');
select t.act_as_superuser();
set local session authorization qm_owner;
select throws_ok($$select service.set_baseline('a.py', repeat('d', 40))$$, 'QM403', null, 'a session of a person may not');

select * from finish();
rollback;
