begin;
select plan(3);

select t.make_catalog(), t.make_principal('op', 'operator'), t.make_principal('root', 'admin');
select t.act_as('op', 'qm_operator');
select throws_ok($$select * from api.create_snapshot('monday')$$, '42501', null, 'operators do not');
select t.act_as('root', 'qm_admin');
select results_eq($$select (c.items ->> 'tool')::integer, c.origins from api.create_snapshot('monday', 'a note') as c$$, $$select count(*)::integer, count(distinct x.origin_id)::integer from catalog.item as x where x.is_live$$, 'counts');
select results_eq($$select s.name, s.note, s.created_by, s.signature from api.list_snapshots() as s$$, $$values ('monday', 'a note', 'root', null::bytea)$$, 'listed, not sealed yet');

select * from finish();
rollback;
