begin;
select plan(2);

select t.make_catalog(), t.make_principal('op', 'operator'), t.make_principal('root', 'admin');
select t.act_as('op', 'qm_operator');
select throws_ok($$select * from api.list_snapshots()$$, '42501', null, 'operators do not');
select t.act_as('root', 'qm_admin');
select t.at('2026-01-01 10:00+00');
select count(*) from api.create_snapshot('monday');
select t.at('2026-01-02 10:00+00');
select count(*) from api.create_snapshot('tuesday');
select results_eq($$select s.name, s.activated_at from api.list_snapshots() as s$$, $$values ('tuesday', null::timestamptz), ('monday', null)$$, 'all, the newest first');

select * from finish();
rollback;
