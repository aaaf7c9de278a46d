begin;
select plan(11);

select t.make_catalog(), t.make_principal('alice'), t.make_principal('bob'), t.make_principal('op', 'operator'), t.make_principal('boss', 'admin');
insert into selection.utility (kind, ref, calls, successes, success_rate, p95_ms, success_gain, latency_loss, refreshed_at)
select 'tool', x.id, 1, 1, 1, 1, 0, 0, now() from catalog.item as x;
create temporary table untouched as select * from selection.utility;
select policies_are('selection', 'utility', array['owner_all', 'user_reads']::name [], 'these policies and no other');
select t.act_as('alice', 'qm_user');
select is(current_user, 'qm_user', 'as qm_user');
select is((select count(*) from selection.utility as u), 4::bigint, 'sees what is known of the tools it sees');
select throws_ok($$update selection.utility set calls = calls$$, '42501', null, 'may not change');
select throws_ok($$insert into selection.utility (kind) values ('tool')$$, '42501', null, 'may not add');
select throws_ok($$delete from selection.utility$$, '42501', null, 'may not delete');
select throws_ok($$truncate selection.utility$$, '42501', null, 'may not empty');
select t.act_as(null, 'qm_user');
select is(current_user, 'qm_user', 'as qm_user without a principal');
select is_empty($$select * from selection.utility as u$$, 'without a principal nothing is seen');
select t.act_as_superuser();
select set_eq($$select to_jsonb(x) from selection.utility as x$$, $$select to_jsonb(u) from untouched as u$$, 'every row is as it was');
select ok(c.relrowsecurity and c.relforcerowsecurity, 'the owner is under policies too') from pg_class as c where c.oid = 'selection.utility'::regclass;

select * from finish();
rollback;
