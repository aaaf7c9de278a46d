begin;
select plan(2);

select api.put_organisation('acme', 'd'), t.make_principal('op', 'operator'), policy.put_principal('a', 'agent', 'user', null, 'acme');
select t.act_as('op', 'qm_operator');
select results_eq($$select o.name, o.description, o.principals from api.list_organisations() as o$$, $$values ('acme', 'd', 1::bigint)$$, 'one');
select t.act_as(null, 'qm_operator');
select throws_ok($$select * from api.list_organisations()$$, 'QM403', null, 'not for nobody');

select * from finish();
rollback;
