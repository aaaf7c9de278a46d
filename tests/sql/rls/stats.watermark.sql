begin;
select plan(12);

select t.make_principal('alice'), t.make_principal('op', 'operator');
delete from stats.watermark;
select stats.counted_to('calls') is not null;
create temporary table untouched as select * from stats.watermark;
select policies_are('stats', 'watermark', array['owner_all', 'operator_reads']::name [], 'these policies and no other');
select t.act_as('op', 'qm_operator');
select is(current_user, 'qm_operator', 'as qm_operator');
select results_eq($$select w.name from stats.watermark as w$$, array['calls'], 'an operator reads them');
select throws_ok($$update stats.watermark set late = 0$$, '42501', null, 'may not change');
select throws_ok($$insert into stats.watermark (name) values ('selections')$$, '42501', null, 'may not add');
select throws_ok($$delete from stats.watermark$$, '42501', null, 'may not delete');
select throws_ok($$truncate stats.watermark$$, '42501', null, 'may not empty');
select t.act_as(null, 'qm_operator');
select is_empty($$select w.name from stats.watermark as w$$, 'without a principal nothing is seen');
select t.act_as('alice', 'qm_user');
select is(current_user, 'qm_user', 'as qm_user');
select throws_ok($$select w.name from stats.watermark as w$$, '42501', null, 'a user reads none');
select t.act_as_superuser();
select set_eq($$select to_jsonb(x) from stats.watermark as x$$, $$select to_jsonb(u) from untouched as u$$, 'every row is as it was');
select ok(c.relrowsecurity and c.relforcerowsecurity, 'the owner is under policies too') from pg_class as c where c.oid = 'stats.watermark'::regclass;

select * from finish();
rollback;
