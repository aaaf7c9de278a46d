begin;
select plan(8);

select t.make_principal('op', 'operator'), t.make_origin('known');
select t.read_as('op', 'qm_operator');
select results_eq(
    $$select i.public_name, i.outcome from api.import_items('tool', '[{"origin": "new", "origin_description": "From a file", "name": "a", "input_schema": {"type": "object"}}, {"origin": "known", "name": "b"}, {"name": "c"}, 7]') as i$$,
    $$values ('new__a', 'added'), ('known__b', 'added'), (null::text, 'rejected'), (null, 'rejected')$$, 'an answer each, in order'
);
select results_eq($$select o.name, o.transport, o.description from api.list_origins() as o where o.name = 'new'$$, $$values ('new', 'none', 'From a file')$$, 'the entry');
select is((select o.transport from api.list_origins() as o where o.name = 'known'), 'stdio', 'a known one is left as it is');
select results_eq($$select i.outcome from api.import_items('tool', '[{"origin": "new", "name": "d"}]') as i$$, array['added'], 'another file');
select is((select count(*) from catalog.item as t where t.deprecated_at is not null), 0::bigint, 'deprecates nothing');
select throws_ok($$select * from api.import_items('tool', '{}')$$, 'QM422', null, 'an object is refused');
select throws_ok($$select * from api.import_items('tool', null)$$, 'QM422', null, 'so is null');
select results_eq($$select i.outcome from api.import_items('tool', jsonb_build_array(jsonb_build_object('origin', repeat('x', 201), 'name', 'e'))) as i$$, array['rejected'], 'an origin whose name is too long');

select * from finish();
rollback;
