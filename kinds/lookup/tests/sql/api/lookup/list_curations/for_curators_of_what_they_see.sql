begin;
select plan(7);

select t.make_lookups(), t.make_principal('alice'), t.make_principal('cora'), t.make_principal('boss', 'admin');
select t.act_as('boss', 'qm_admin');
select api.appoint_curator('cora'), api.add_alias('plant', '1', 'silver birch'), api.add_alias('place', '1', 'Uma');
select t.act_as('alice');
select throws_ok($$select * from api.list_curations('plant')$$, 'QM403', null, 'not for a user');
select t.act_as('cora');
select results_eq($$select c.id, c.value, c.alias, c.curator from api.list_curations('plant') as c$$, $$values ('1', 'Betula pendula', 'silver birch', 'boss')$$, 'what was said of its rows');
select is_empty($$select * from api.list_curations('plant', '2')$$, 'of one row');
select throws_ok($$select * from api.list_curations('plant', maximum => 0)$$, 'QM422', null, 'a list of nothing');
select t.act_as_superuser();
select t.make_rules('{"rules": [{"effect": "deny", "subject": "principal:cora", "origins": ["place"]}, {"effect": "deny", "subject": "principal:cora", "names": ["Betula pendula"]}]}');
select t.act_as('cora');
select throws_ok($$select * from api.list_curations('place')$$, 'QM404', null, 'a hidden table is not there');
select is_empty($$select * from api.list_curations('plant')$$, 'nor is a hidden row');
select throws_ok($$select * from api.add_alias('plant', '1', 'white birch')$$, 'QM404', null, 'which nobody curates unseen');

select * from finish();
rollback;
