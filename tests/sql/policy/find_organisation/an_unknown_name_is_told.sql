begin;
select plan(3);

insert into policy.organisation (name) values ('acme');
select ok(policy.find_organisation('acme') > 0, 'known');
select throws_ok($$select policy.find_organisation('nobody')$$, 'QM404', null, 'unknown');
select is(policy.find_organisation(null), null, 'none named is none');

select * from finish();
rollback;
