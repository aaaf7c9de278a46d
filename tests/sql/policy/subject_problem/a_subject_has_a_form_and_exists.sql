begin;
select plan(4);

select t.make_principal('alice');
select ok(policy.subject_problem(null) like 'expected everyone%', 'a subject is needed');
select ok(policy.subject_problem('role:root') like 'expected everyone%', 'of a known form');
select is(policy.subject_problem('principal:bob'), 'there is no principal called ''bob''', 'that exists');
select is(policy.subject_problem('principal:alice'), null, 'and then nothing is wrong');

select * from finish();
rollback;
