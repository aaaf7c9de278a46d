begin;
select plan(2);

select throws_ok($$select policy.find_principal('nobody')$$, 'QM404', null, 'unknown');
create temporary table made as select t.make_principal('alice') as id;
select is(policy.find_principal('alice'), m.id, 'known') from made as m;

select * from finish();
rollback;
