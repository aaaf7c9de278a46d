begin;
select plan(3);

select t.make_principal('op', 'operator'), t.make_catalog();
insert into calls.call (principal_id, instance_id, request_id, kind, ref, version, argument_bytes)
select p.id, gen_random_uuid(), 'r', t.kind, t.id, 1, 0
from policy.principal as p cross join catalog.item as t cross join generate_series(1, 7) where p.name = 'op' and t.name = 'convert_time';
create function pg_temp.judged() returns real language sql as $$ select calls.judge_probes(t.id) from catalog.item as t where t.name = 'convert_time'; $$;
select is(pg_temp.judged(), 0::real, 'a tool that was never probed is honest');
insert into calls.probe (call_id, item_id, version, example, is_honest, probed_at)
select c.id, c.ref, 1, 0, c.n > 3, core.now() from (select c.*, row_number() over (order by c.id) as n from calls.call as c) as c where c.n <= 5;
select is(pg_temp.judged(), 0.6::real, 'three of five were not');
insert into calls.probe (call_id, item_id, version, example, is_honest, probed_at)
select c.id, c.ref, 1, 0, true, core.now() from (select c.*, row_number() over (order by c.id) as n from calls.call as c) as c where c.n > 5;
select is(pg_temp.judged(), 0.2::real, 'older ones are forgotten');

select * from finish();
rollback;
