begin;
select plan(1);

select t.make_origin('o'), t.make_principal('op', 'operator');
select t.act_as('op', 'qm_operator');
select api.request_refresh('o');
create temporary table run as select c.refresh_id from service.claim_refresh(gen_random_uuid()) as c;
select service.reject_items(run.refresh_id, '[{"name": "a", "reason": "x"}]') from run;
select service.reject_items(run.refresh_id, '[{"name": "b", "reason": "y"}]') from run;
select is((select g.rejected from run cross join lateral api.get_refresh(run.refresh_id) as g), '[{"name": "a", "reason": "x"}, {"name": "b", "reason": "y"}]'::jsonb, 'both');

select * from finish();
rollback;
