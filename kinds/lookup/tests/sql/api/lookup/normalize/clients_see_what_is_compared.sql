begin;
select plan(2);

select t.make_principal('alice');
select t.act_as(null, 'qm_user');
select throws_ok($$select api.normalize('x')$$, 'QM403', null, 'not for nobody');
select t.act_as('alice');
select is(api.normalize(' Älg  '), 'alg', 'the same as of rows and queries');

select * from finish();
rollback;
