begin;
select plan(4);

select audit.ensure_partition('2031-02-28 23:59:59+00'), audit.ensure_partition('2031-02-01 00:00+00');
select ok(to_regclass('audit.record_2031_02') is not null, 'it is made');
set local timezone = 'Asia/Tokyo';
select lives_ok($$select audit.ensure_partition('2031-03-01 00:00+00')$$, 'months are those of UTC');
select ok(c.relrowsecurity and c.relforcerowsecurity, 'under row policies of its own') from pg_class as c where c.oid = 'audit.record_2031_02'::regclass;
select t.act_as('local', 'qm_admin');
select throws_ok($$select * from audit.record_2031_02$$, '42501', null, 'and read through the whole table only');

select * from finish();
rollback;
