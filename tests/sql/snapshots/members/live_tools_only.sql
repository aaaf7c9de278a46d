begin;
select plan(2);

select t.make_catalog(), t.make_principal('root', 'admin');
select catalog.decide_items(array[x.id], 'quarantined', 'x', policy.find_principal('root')) from catalog.item as x where x.id = (select min(y.id) from catalog.item as y);
select set_eq($$select o.id, o.origin_id, o.name, o.version from snapshots.members() as o$$, $$select x.id, x.origin_id, x.public_name, x.version from catalog.item as x where x.is_live$$, 'what is withheld is not offered');
select set_eq($$select o.definition_hash from snapshots.members() as o$$, $$select snapshots.definition_hash(v.definition) from catalog.item_version as v inner join catalog.item as x on x.id = v.item_id where x.is_live and v.valid_to is null$$, 'with the hash of its definition');

select * from finish();
rollback;
