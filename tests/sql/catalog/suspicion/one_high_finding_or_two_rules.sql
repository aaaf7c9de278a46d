begin;
select plan(6);

select is(catalog.suspicion('{}', '{}'), null, 'nothing was found');
select is(catalog.suspicion('{a}', '{medium}'), null, 'one medium finding is none');
select is(catalog.suspicion('{a,a}', '{medium,medium}'), null, 'nor is the same one twice');
select is(catalog.suspicion('{a,b,c}', '{medium,low,low}'), null, 'low ones do not count');
select is(catalog.suspicion('{b,a,b}', '{medium,medium,medium}'), 'the scan found a, b', 'two different ones do');
select is(catalog.suspicion('{b,a}', '{low,high}'), 'the scan found a', 'and a high one alone');

select * from finish();
rollback;
