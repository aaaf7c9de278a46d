begin;
select plan(7);

select t.make_catalog();
create function pg_temp.repaired(variadic p_names text []) returns jsonb language sql as $$
    select to_jsonb(catalog.repair_definitions(
        'tool', array_fill('tracker'::text, array[cardinality(p_names)]),
        array(select catalog.tool_definition(jsonb_build_object('name', n.name)) from unnest(p_names) with ordinality as n (name, p) order by n.p)
    ));
$$;
select is(
    catalog.repair_definitions('tool', '{tracker}', '{"{\"name\": \"x\", \"repair\": {\"renamed_to\": \"time__convert_time\"}}"}'), '{"{\"name\": \"x\"}"}',
    'an origin repairs nothing itself'
);
insert into catalog.repair (origin_id, tool, version, changes, made_at)
select o.id, 'create_ticket', 1, '{"name": "open_ticket", "title": "Open"}', now() from catalog.origin as o where o.name = 'tracker';
select is((pg_temp.repaired('create_ticket') #> '{0,repair}') - '{listed,values,names,hidden}'::text [], '{"aside": [], "listed_as": "tracker__create_ticket", "renamed_to": "tracker__open_ticket"}', 'a new name');
select is(pg_temp.repaired('listTickets') #> '{0,repair}', null, 'another tool is not changed');
select is(pg_temp.repaired('create_ticket', 'open_ticket') #> '{0,repair,aside}', '["another tool is called ''tracker__open_ticket''"]', 'the origin lists such a name now');
select is(pg_temp.repaired('create_ticket', 'open_ticket') #>> '{0,title}', 'Open', 'the rest fits');
select is(
    catalog.repair_definitions('prompt', '{tracker}', '{"{\"name\": \"create_ticket\"}"}'), '{"{\"name\": \"create_ticket\"}"}', 'only tools are repaired'
);
update catalog.repair as r set changes = '{"name": "open_ticket"}' where r.tool = 'create_ticket';
select is(pg_temp.repaired('create_ticket', 'open_ticket') #> '{0,repair,aside}', '["another tool is called ''tracker__open_ticket''"]', 'also if nothing else changes');

select * from finish();
rollback;
