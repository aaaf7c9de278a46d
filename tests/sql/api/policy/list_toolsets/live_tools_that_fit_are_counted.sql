begin;
select plan(2);

select t.make_catalog(), t.make_principal('alice'), t.make_principal('op', 'operator'), api.put_toolset('clock', '{"origins": "time"}', 'd');
select t.act_as('alice');
select throws_ok($$select * from api.list_toolsets()$$, '42501', null, 'not for users');
select t.act_as('op', 'qm_operator');
select results_eq($$select * from api.list_toolsets()$$, $$values ('clock', 'd', '{"origins": "time"}'::jsonb, '{"tool": 2}'::jsonb)$$, 'for operators');

select * from finish();
rollback;
