begin;
select plan(14);

select t.make_principal('alice'), t.make_principal('boss', 'admin');
create temporary table given as
select '[{"name": "weigh", "description": "Weighs a parcel.", "input_schema": {"type": "object"}}]'::jsonb as tools;
grant select on given to public;

select t.act_as('alice');
select throws_ok($$select service.put_door('scales', 'Weighs.', g.tools) from given as g$$, '42501', null, 'an agent may not');

select t.act_as('boss', 'qm_operator');
select throws_ok($$select service.put_door('scales', 'Weighs.', '[{"description": "no name"}]')$$, 'QM422', null, 'a tool without a name is refused');
select isnt(service.put_door('scales', 'Weighs.', g.tools), null::bigint, 'its id') from given as g;
select lives_ok($$select service.put_door('scales', 'Weighs.', g.tools) from given as g$$, 'the same again');

select t.read_as('boss', 'qm_admin');
select results_eq(
    $$select o.name, o.transport, o.status from api.list_origins() as o$$, $$values ('scales', 'built-in', 'ready')$$, 'it is listed as ready'
);
select results_eq(
    $$select o.name, o.public_name from api.list_items('tool', 'scales') as o$$, $$values ('weigh', 'scales__weigh')$$, 'with its tools'
);
select is((select count(*) from catalog.refresh), 0::bigint, 'there is nothing to refresh');
select throws_ok($$select * from api.request_refresh('scales')$$, 'QM409', null, 'by nobody');
select throws_ok($$select api.add_origin('scales', 'none', replace => true)$$, 'QM409', null, 'nobody replaces it');
select throws_ok($$select api.put_toolset('scales', '{"origins": "time"}')$$, 'QM422', null, 'no toolset takes its endpoint');
select lives_ok($$select api.add_origin('other', 'none')$$, 'others are added');

select t.act_as_superuser();
select t.at('2030-01-01');
select t.act_as('boss', 'qm_operator');
select throws_ok($$select service.put_door('other', '', g.tools) from given as g$$, 'QM409', null, 'and are not taken over');
select lives_ok(
    $$select service.put_door('scales', 'Weighs.', '[{"name": "sort", "description": "Sorts.", "input_schema": {"type": "object"}}]')$$, 'another release'
);
select results_eq($$select o.name from api.list_items('tool', 'scales') as o$$, $$values ('sort')$$, 'has other tools');

select * from finish();
rollback;
