begin;
select plan(6);

select t.at('2036-05-01 00:00+00');
create temporary table made as select audit.append('insert', 'a.table', 'one') as first, audit.append('delete', 'a.table', 'one') as second;
select is(m.second, m.first + 1, 'ids have no gap') from made as m;
select is(b.previous_hash, a.hash, 'each is bound to the one before') from made as m inner join audit.record as a on a.id = m.first inner join audit.record as b on b.id = m.second;
select is(r.hash, audit.record_hash(r), 'by its hash') from made as m inner join audit.record as r on r.id = m.second;
select t.at('2036-04-01 00:00+00');
create temporary table later as select audit.append('insert', 'a.table', 'two') as id;
select is(r.at, '2036-05-01 00:00+00', 'a clock that was set back does not bring time and ids apart') from audit.record as r inner join later as l on l.id = r.id;
select t.act_as('local', 'qm_admin');
select throws_ok($$select audit.append('insert', 'a.table')$$, '42501', null, 'an administrator may not append');
select throws_ok($$insert into audit.record (id) values (1)$$, '42501', null, 'nor add a row');

select * from finish();
rollback;
