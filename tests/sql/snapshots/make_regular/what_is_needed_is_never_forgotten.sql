begin;
select plan(8);

select t.make_catalog(), t.make_principal('root', 'admin');
select t.read_as('root', 'qm_admin');
select lives_ok($$select api.keep_snapshots(1)$$, 'one is kept');
create function pg_temp.run(p_at timestamptz) returns jsonb language sql as $$
    select t.at(p_at);
    select r.result from api.run_job('snapshot') as r;
$$;
create function pg_temp.change() returns void language plpgsql as $$
begin
    perform t.act_as_superuser(), t.make_tool('time', 'tool_' || extract(epoch from core.now())::bigint::text), t.read_as('root', 'qm_admin');
end
$$;
select is(pg_temp.run('2099-01-01 00:00+00'), '{"made": "regular-20990101-000000000", "forgotten": 0}', 'the first is made');
select is(pg_temp.run('2099-01-02 00:00+00'), '{"made": null, "forgotten": 0}', 'nothing has changed: no second');
select api.seal_snapshot('regular-20990101-000000000', sha256('k'), sha256('a') || sha256('b'), 'f', sha256('f'), 1);
select api.create_snapshot('by-hand');
select pg_temp.change();
select is(pg_temp.run('2099-01-03 00:00+00'), '{"made": "regular-20990103-000000000", "forgotten": 0}', 'the newest that is sealed stays');
select api.seal_snapshot('regular-20990103-000000000', sha256('k'), sha256('a') || sha256('b'), 'f', sha256('f'), 1);
select api.activate_snapshot('regular-20990101-000000000');
select pg_temp.change();
select is(pg_temp.run('2099-01-04 00:00+00'), '{"made": "regular-20990104-000000000", "forgotten": 0}', 'so does what was activated last');
select api.seal_snapshot('regular-20990104-000000000', sha256('k'), sha256('a') || sha256('b'), 'f', sha256('f'), 1);
select api.activate_snapshot('by-hand');
select pg_temp.change();
select is(pg_temp.run('2099-01-05 00:00+00'), '{"made": "regular-20990105-000000000", "forgotten": 2}', 'others are forgotten');
select set_eq(
    $$select s.name from api.list_snapshots() as s where s.is_regular$$, array['regular-20990104-000000000', 'regular-20990105-000000000'], 'these stay'
);
select isnt_empty($$select * from api.list_snapshots() as s where s.name = 'by-hand'$$, 'what was made by hand stays');

select * from finish();
rollback;
