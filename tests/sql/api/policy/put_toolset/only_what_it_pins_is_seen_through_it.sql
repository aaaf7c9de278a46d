begin;
select plan(9);

select t.make_catalog(), t.make_principal('alice'), t.make_principal('op', 'operator'), t.make_principal('boss', 'admin');
select t.read_as('op', 'qm_operator');
select throws_ok($$select api.put_toolset('clock', '{"origins": "time"}')$$, '42501', null, 'operators may not');
select t.read_as('boss', 'qm_admin');
select throws_ok($$select api.put_toolset('No Name', '{"origins": "time"}')$$, 'QM422', null, 'a name that is no part of an address');
select throws_ok($$select api.put_toolset('clock', '{}')$$, 'QM422', null, 'pinning nothing');
select throws_ok($$select api.put_toolset('reconcile', '{"origins": "time"}')$$, 'QM422', null, 'the name of the door of the lookup tables');
select throws_ok($$select api.put_toolset('clock', '{"tool": "x"}')$$, 'QM422', null, 'an unknown key');
select api.put_toolset('clock', '{"origins": "time"}', 'what time it is');
select t.read_as('alice');
select t.through('clock');
select set_eq($$select f.name from api.select_tools('time or ticket') as f$$, '{time__get_current_time, time__convert_time}'::text[], 'found');
select is_empty($$select from catalog.origin as o where o.name <> 'time'$$, 'seen');
select is((select c.call_id from service.call_begin('tracker__create_ticket', 2, 'r', gen_random_uuid()) as c), null, 'called');
select t.read_as('boss', 'qm_admin');
select api.put_toolset('clock', '{"tools": ["time__convert_time"]}');
select t.read_as('alice');
select t.through('clock');
select set_eq($$select x.name from catalog.item as x$$, '{convert_time}'::text[], 'pinned anew');

select * from finish();
rollback;
