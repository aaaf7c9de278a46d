begin;
select plan(8);

set constraints all immediate;
select t.at('2030-01-10 00:00+00');
select audit.append('insert', 'a.table', 'january');
select t.at('2030-02-10 00:00+00');
select audit.append('insert', 'a.table', 'february');
select t.at('2030-03-10 00:00+00');
select audit.append('insert', 'a.table', 'march');
create temporary view said as select r.object from audit.record as r where r.at > '2030-01-01' and r.action = 'insert' order by r.id;
select is((select array_agg(c.partition order by c.partition) from audit.cut_partitions(1, true) as c where c.partition like 'record_2030%'), array['record_2030_01'], 'what would go');
select results_eq('select s.object from said as s', array['january', 'february', 'march'], 'is still there');
select is((select array_agg(c.records order by c.partition) from audit.cut_partitions(1) as c where c.partition like 'record_2030%'), array[1::bigint], 'what goes');
select results_eq('select s.object from said as s', array['february', 'march'], 'whole months, the oldest');
select is_empty('select * from audit.find_faults()', 'the rest is whole');
select is((select count(*) from audit.record as r where r.action = 'cut' and r.object = 'record_2030_01'), 1::bigint, 'and tells of the cut');
update audit.cut set last_hash = sha256('x') where partition = 'record_2030_01';
select is((select array_agg(distinct f.fault order by f.fault) from audit.find_faults() as f), array['changed', 'cut'], 'a changed cut is found');
select t.at('2031-03-10 00:00+00');
select audit.cut_partitions(1);
select results_eq('select r.action from audit.record as r order by r.id', array['cut', 'cut'], 'after everything was cut the chain goes on');

select * from finish();
rollback;
