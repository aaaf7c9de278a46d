begin;
select plan(6);

select t.make_catalog(), t.make_principal('alice');
update catalog.item set deprecated_at = core.now() where name = 'convert_time';
select t.read_as('alice');
select is(api.status() -> 'origins', '2'::jsonb, 'origins');
select results_eq($$select s -> 'deprecated', s -> 'withheld' from api.status() as s$$, $$values ('{"tool": 1}'::jsonb, '{}'::jsonb)$$, 'what is not offered');
select is(
    api.status() -> 'cards',
    '{
        "tool": 4, "decision": 0, "instructions": 0, "lookup": 0, "lookup_table": 0, "passage": 0, "prompt": 0, "question": 0, "resource": 0,
        "resource_template": 0, "symbol": 0
    }'::jsonb,
    'cards'
);
select is(api.status() ->> 'version', core.schema_version(), 'version');
select is(api.status() -> 'capabilities' -> 'vector' -> 'installed', 'true'::jsonb, 'capabilities');
select t.read_as(null);
select throws_ok($$select api.status()$$, 'QM403', null, 'nobody is told nothing');

select * from finish();
rollback;
