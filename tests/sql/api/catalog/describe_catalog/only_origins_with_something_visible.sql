begin;
select plan(9);

select t.make_catalog(), t.make_assets(), t.make_principal('alice'), t.make_principal('bob');
select t.make_rules('{"rules": [
    {"effect": "deny", "subject": "principal:alice", "origins": ["tracker"]},
    {"effect": "deny", "subject": "principal:alice", "tools": ["time__convert_time"]},
    {"effect": "deny", "subject": "principal:alice", "origins": ["second"]}
]}');
select api.put_toolset('clock', '{"origins": "time"}');
select t.act_as('alice');
select results_eq(
    $$select c.origin, c.tools, c.origins from api.describe_catalog() as c$$, $$values ('time', 1::bigint, 2::bigint), ('first', 0, 2)$$,
    'neither a hidden origin nor a hidden tool is told or counted'
);
select results_eq($$select c.origin, c.origins from api.describe_catalog(1) as c$$, $$values ('time', 2::bigint)$$, 'the number is that of all, also of those left out');
select is((select count(*) from api.describe_catalog(null)), 2::bigint, 'there need be no limit');
select t.act_as('bob');
select results_eq(
    $$select c.origin, c.tools from api.describe_catalog() as c$$, $$values ('time', 2::bigint), ('tracker', 2), ('first', 0), ('second', 0)$$,
    'the most tools come first, then names decide'
);
select t.through('clock');
select is((select array_agg(c.origin) from api.describe_catalog() as c), '{time}', 'a toolset tells of its own origins only');

select t.act_as_superuser();
update catalog.item set status = 'quarantined' where name = 'listTickets';
update catalog.item set status = 'pending' where name = 'create_ticket';
select t.make_origin('empty');
update catalog.origin set status = 'removed' where name = 'second';
select t.act_as('bob');
select is((select array_agg(c.origin) from api.describe_catalog() as c), '{time,first}', 'what is withheld, offers nothing or was removed is not told');
select t.act_as_superuser();
select t.make_rules('{"rules": [{"effect": "deny", "subject": "everyone", "origins": ["*"]}]}');
select t.act_as('bob');
select is_empty($$select * from api.describe_catalog()$$, 'nor is anything to whom everything is hidden');
select t.act_as(null);
select throws_ok($$select * from api.describe_catalog()$$, 'QM403', null, 'nobody is told nothing');
select t.act_as_superuser();
select is((select p.provolatile from pg_proc as p where p.oid = 'api.describe_catalog'::regproc), 's'::"char", 'it only reads');

select * from finish();
rollback;
