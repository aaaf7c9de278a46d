begin;
select plan(6);

select t.make_catalog(), t.make_principal('op', 'operator'), t.make_principal('root', 'admin');
select t.act_as('op', 'qm_operator');
select throws_ok($$select * from api.create_snapshot('monday')$$, '42501', null, 'operators do not');
select t.act_as('root', 'qm_admin');
select results_eq($$select (c.items ->> 'tool')::integer, c.origins from api.create_snapshot('monday', 'a note') as c$$, $$select count(*)::integer, count(distinct x.origin_id)::integer from catalog.item as x where x.is_live$$, 'counts');
select results_eq($$select s.name, s.note, s.created_by, s.signature from api.list_snapshots() as s$$, $$values ('monday', 'a note', 'root', null::bytea)$$, 'listed, not sealed yet');
select lives_ok($$select api.create_snapshot('monday', 'again')$$, 'what was never sealed is taken again');
select api.seal_snapshot('monday', decode(repeat('00', 32), 'hex'), decode(repeat('00', 64), 'hex'), 'f', decode(repeat('00', 32), 'hex'), 1);
select throws_ok($$select api.create_snapshot('monday')$$, 'QM409', null, 'what is sealed stays');
select api.create_snapshot('tuesday');
select api.activate_snapshot('monday');
select throws_ok(
    (select format($$select api.create_snapshot(%L)$$, s.name) from api.list_snapshots() as s where s.name not in ('monday', 'tuesday')),
    'QM409', null, 'so does what undoes an activation'
);

select * from finish();
rollback;
