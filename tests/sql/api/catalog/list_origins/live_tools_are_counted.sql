begin;
select plan(2);

select t.make_catalog(), t.make_principal('alice');
update catalog.item set deprecated_at = now() where name = 'convert_time';
select t.act_as('alice');
select results_eq($$select o.name, o.items from api.list_origins() as o$$, $$values ('time', '{"tool": 1}'::jsonb), ('tracker', '{"tool": 2}')$$, 'by name');
select t.act_as(null);
select is_empty($$select * from api.list_origins()$$, 'nobody sees none');

select * from finish();
rollback;
