begin;
select plan(5);

select t.make_catalog(), t.make_principal('op', 'operator'), t.make_principal('root', 'admin');
select snapshots.put_snapshot('monday', '', policy.find_principal('root'));
select is_empty($$select f.* from snapshots.snapshot as s cross join snapshots.faults(s.id) as f$$, 'it is whole');
savepoint whole;
update catalog.item_version as v
set definition = jsonb_set(v.definition, '{description}', to_jsonb(overlay(v.definition ->> 'description' placing 'X' from 1)))
where v.item_id = (select min(x.item_id) from snapshots.member as x);
select results_eq(
    $$select f.name, f.fault from snapshots.snapshot as s cross join snapshots.faults(s.id) as f$$,
    $$select 'tool ' || x.public_name, 'the definition has been changed' from catalog.item as x where x.id = (select min(y.item_id) from snapshots.member as y)$$,
    'one letter of one definition'
);
rollback to whole;
update snapshots.member as m set definition_hash = sha256('x') where m.item_id = (select min(x.item_id) from snapshots.member as x);
select set_has($$select f.fault from snapshots.snapshot as s cross join snapshots.faults(s.id) as f$$, $$values ('the items have been changed')$$, 'a kept hash');
rollback to whole;
update snapshots.snapshot as s set items = s.items || '{"tool": 9}';
select results_eq($$select f.name, f.fault from snapshots.snapshot as s cross join snapshots.faults(s.id) as f$$, $$values ('monday', 'the manifest has been changed')$$, 'a count');
rollback to whole;
delete from snapshots.member as m where m.item_id = (select min(x.item_id) from snapshots.member as x);
select results_eq($$select f.name, f.fault from snapshots.snapshot as s cross join snapshots.faults(s.id) as f$$, $$values ('monday', 'the items have been changed')$$, 'a missing tool');

select * from finish();
rollback;
