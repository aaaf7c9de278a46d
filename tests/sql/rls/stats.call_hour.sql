begin;
select plan(13);

select t.make_catalog(), t.make_principal('alice'), t.make_principal('bob'), t.make_principal('op', 'operator');
insert into stats.call_hour (hour, kind, tool_id, principal_id, outcome, calls, duration_ms, argument_bytes, result_bytes, largest_bytes, durations)
select now(), 'tool', x.id, p.id, 'ok', 1, 1, 1, 1, 1, '{}' from policy.principal as p cross join catalog.item as x
where p.name in ('alice', 'bob') and x.public_name = 'time__convert_time';
create temporary table untouched as select * from stats.call_hour;
select policies_are('stats', 'call_hour', array['owner_all', 'user_reads', 'operator_reads']::name [], 'these policies and no other');
select t.act_as('alice', 'qm_user');
select is(current_user, 'qm_user', 'as qm_user');
select results_eq($$select p.name from stats.call_hour as h inner join policy.principal as p on p.id = h.principal_id$$, array['alice'], 'sees exactly what it may');
select throws_ok($$update stats.call_hour set hour = hour$$, '42501', null, 'may not change');
select throws_ok($$insert into stats.call_hour (hour) values (now())$$, '42501', null, 'may not add');
select throws_ok($$delete from stats.call_hour$$, '42501', null, 'may not delete');
select throws_ok($$truncate stats.call_hour$$, '42501', null, 'may not empty');
select t.act_as('op', 'qm_operator');
select is((select count(*) from stats.call_hour as h), 2::bigint, 'an operator reads all');
select throws_ok($$delete from stats.call_hour$$, '42501', null, 'and deletes none');
select t.act_as(null, 'qm_user');
select is(current_user, 'qm_user', 'as qm_user without a principal');
select is_empty($$select h.hour from stats.call_hour as h$$, 'without a principal nothing is seen');
select t.act_as_superuser();
select set_eq($$select to_jsonb(x) from stats.call_hour as x$$, $$select to_jsonb(u) from untouched as u$$, 'every row is as it was');
select ok(c.relrowsecurity and c.relforcerowsecurity, 'the owner is under policies too') from pg_class as c where c.oid = 'stats.call_hour'::regclass;

select * from finish();
rollback;
