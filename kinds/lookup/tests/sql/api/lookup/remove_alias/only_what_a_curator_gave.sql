begin;
select plan(5);

select t.make_lookups(), t.make_principal('alice'), t.make_principal('op', 'operator');
select t.act_as('op', 'qm_operator');
select api.add_alias('plant', '1', 'silver birch');
select t.act_as('alice');
select throws_ok($$select * from api.remove_alias('plant', '1', 'silver birch')$$, 'QM403', null, 'not for a user');
select t.act_as('op', 'qm_operator');
select throws_ok($$select * from api.remove_alias('plant', '1', 'vårtbjörk')$$, 'QM404', null, 'not what the source gave');
select throws_ok($$select * from api.remove_alias('plant', '1', 'white birch')$$, 'QM404', null, 'nor what nobody gave');
select results_eq($$select r.aliases from api.remove_alias('plant', '1', 'silver birch') as r$$, $$values ('{vårtbjörk}'::text[])$$, 'it is gone');
select is_empty($$select * from api.search_lookup('plant', 'silver birch') as s where s.match$$, 'and found no more');

select * from finish();
rollback;
