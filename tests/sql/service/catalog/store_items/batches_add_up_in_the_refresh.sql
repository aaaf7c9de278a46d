begin;
select plan(8);

select t.make_origin('o'), t.make_principal('op', 'operator');
select t.act_as('op', 'qm_operator');
select api.request_refresh('o');
create temporary table run as select c.refresh_id from service.claim_refresh(gen_random_uuid()) as c;
select results_eq(
    $$select s.* from run cross join lateral service.store_items(run.refresh_id, 'tool', '[{"name": "a"}, {"name": "b"}, 5, {"name": "c", "input_schema": []}]') as s$$, $$values (2, 0, 0, 2, 0)$$, 'a batch'
);
select results_eq(
    $$select s.* from run cross join lateral service.store_items(run.refresh_id, 'tool', '[{"name": "a"}, {"name": "b", "description": "new"}, {"origin": "elsewhere", "name": "d"}]') as s$$, $$values (1, 1, 1, 0, 1)$$, 'another; what changed is withheld, the origin is the refresh''s own'
);
select lives_ok($$select service.reject_items(run.refresh_id, '[{"name": "e", "reason": "no schema"}]') from run$$, 'what never reached the database');
select results_eq(
    $$select g.origin, g.status, g.added, g.changed, g.unchanged, jsonb_array_length(g.rejected), g.withheld from run cross join lateral api.get_refresh(run.refresh_id) as g$$,
    $$values ('o', 'running', 3, 1, 1, 3, 1)$$, 'all of it is in the refresh'
);
select throws_ok($$select * from service.store_items(-1, 'tool', '[]')$$, 'QM404', null, 'an unknown refresh');
select throws_ok($$select service.reject_items(-1, '[]')$$, 'QM404', null, 'also for rejects');
select throws_ok($$select * from api.get_refresh(-1)$$, 'QM404', null, 'also to look at');
select throws_ok($$select s.* from run cross join lateral service.store_items(run.refresh_id, 'tool', '{}') as s$$, 'QM422', null, 'a batch that is no array');

select * from finish();
rollback;
