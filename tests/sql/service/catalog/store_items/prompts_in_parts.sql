begin;
select plan(7);

select t.make_origin('o'), t.make_principal('op', 'operator');
select t.act_as('op', 'qm_operator');
select throws_ok($$select service.store_items(-1, 'prompt', '[]')$$, 'QM404', null, 'an unknown refresh');
select api.request_refresh('o');
create temporary table run as select c.refresh_id from service.claim_refresh(gen_random_uuid()) as c;
select throws_ok($$select service.store_items(r.refresh_id, 'prompt', '{}') from run as r$$, 'QM422', null, 'no array');
select throws_ok($$select service.store_items(r.refresh_id, 'nothing', '[]') from run as r$$, 'QM404', null, 'no such kind');
select results_eq(
    $$select s.added, s.rejected from run as r cross join lateral service.store_items(r.refresh_id, 'prompt', '[{"name": "a"}, {"name": "b"}, {"title": "c"}]') as s$$,
    $$values (2, 1)$$, 'two came, one has no name'
);
select is(
    (select g.rejected from run as r cross join lateral api.get_refresh(r.refresh_id) as g),
    '[{"kind": "prompt", "name": null, "reason": "the name is missing"}]', 'which is told with its kind'
);
select is((select s.added from run as r cross join lateral service.store_items(r.refresh_id, 'prompt', '[{"name": "c"}]') as s), 1, 'a further part');
select t.act_as_superuser();
select is((select count(*) from catalog.item as i where i.deprecated_at is null), 3::bigint, 'nothing goes before the refresh ends');

select * from finish();
rollback;
