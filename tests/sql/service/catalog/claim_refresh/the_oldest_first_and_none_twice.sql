begin;
select plan(3);

select t.make_catalog(), t.make_principal('op', 'operator');
select t.read_as('op', 'qm_operator');
select t.at('2026-01-01 00:00+00');
select api.request_refresh('tracker');
select t.at('2026-01-01 00:01+00');
select api.request_refresh('time');
create temporary table claimed as select 1 as turn, c.* from service.claim_refresh('00000000-0000-0000-0000-00000000000a') as c;
insert into claimed select 2, c.* from service.claim_refresh('00000000-0000-0000-0000-00000000000b') as c;
select results_eq($$select o.name from claimed as c inner join catalog.origin as o on o.id = c.origin_id order by c.turn$$, array['tracker', 'time'], 'oldest first');
select is_empty($$select * from service.claim_refresh('00000000-0000-0000-0000-00000000000c')$$, 'nothing is left');
select is((select count(*) from catalog.refresh as r where r.status = 'running' and r.started_at = core.now()), 2::bigint, 'both run');

select * from finish();
rollback;
