begin;
select plan(4);

select t.make_catalog(), t.make_principal('op', 'operator');
select t.read_as('op', 'qm_operator');
select t.at('2027-01-01 00:00+00');
select api.request_refresh('time');
create temporary table run as select c.refresh_id from service.claim_refresh(gen_random_uuid()) as c;
select t.at('2027-01-01 00:01+00');
select s.* from run cross join lateral service.store_items(run.refresh_id, 'tool', '[{"name": "convert_time", "description": "Convert a time between timezones."}]') as s;
select service.finish_refresh(run.refresh_id, protocol_version => '2025-11-25', server_info => '{"name": "x"}', said => '{"instructions": "Be kind."}', kinds => '{tool}', warnings => '{The list ended too soon.}') from run;
select results_eq($$select g.status, g.deprecated, g.warnings from run cross join lateral api.get_refresh(run.refresh_id) as g$$, $$values ('done', 1, array['The list ended too soon.'])$$, 'one tool is gone, and why is told');
select set_eq($$select t.name from catalog.item as t where t.kind = 'tool' and t.deprecated_at is null and t.public_name like 'time%'$$, array['convert_time'], 'the other is live');
select results_eq($$select o.status, o.protocol_version, o.refreshed_at from api.list_origins() as o where o.name = 'time'$$, $$values ('ready', '2025-11-25', '2027-01-01 00:01+00'::timestamptz)$$, 'the origin is ready');
select throws_ok($$select service.finish_refresh(run.refresh_id) from run$$, 'QM404', null, 'it cannot be finished twice');

select * from finish();
rollback;
