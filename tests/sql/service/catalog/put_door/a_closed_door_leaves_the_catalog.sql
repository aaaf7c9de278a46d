begin;
select plan(4);

select t.make_principal('boss', 'admin');
select t.act_as('boss', 'qm_operator');
select is(service.put_door('desk', 'A desk.', '[]'), null, 'a door that was never open leaves nothing');
select isnt(
    service.put_door('desk', 'A desk.', '[{"name": "write", "description": "Write.", "input_schema": {"type": "object"}}]'), null, 'an open door'
);
select is(service.put_door('desk', 'A desk.', '[]'), null, 'is closed');
select t.act_as_superuser();
select results_eq(
    $$select o.status, i.deprecated_at is not null from catalog.origin as o inner join catalog.item as i on i.origin_id = o.id where o.name = 'desk'$$,
    $$values ('removed', true)$$, 'and its tool goes with it'
);

select * from finish();
rollback;
