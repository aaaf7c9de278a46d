begin;
select plan(2);

select t.make_principal('op', 'operator');
select t.read_as('op', 'qm_operator');
select service.heartbeat('00000000-0000-0000-0000-00000000000a', 'stdio', '1', 1, true);
select is((select count(*) from core.instance as i), 1::bigint, 'it runs');
select service.end_instance('00000000-0000-0000-0000-00000000000a');
select is((select count(*) from core.instance as i), 0::bigint, 'it has ended');

select * from finish();
rollback;
