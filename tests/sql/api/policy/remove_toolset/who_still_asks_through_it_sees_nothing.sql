begin;
select plan(4);

select t.make_catalog(), t.make_principal('alice'), t.make_principal('op', 'operator'), t.make_principal('boss', 'admin');
select t.read_as('boss', 'qm_admin');
select api.put_toolset('clock', '{"origins": "time"}');
select t.read_as('op', 'qm_operator');
select throws_ok($$select api.remove_toolset('clock')$$, '42501', null, 'operators may not');
select t.read_as('boss', 'qm_admin');
select lives_ok($$select api.remove_toolset('clock')$$, 'it goes');
select throws_ok($$select api.remove_toolset('clock')$$, 'QM404', null, 'once');
select t.read_as('alice');
select t.through('clock');
select is_empty($$select from catalog.item$$, 'nothing is seen through it');

select * from finish();
rollback;
