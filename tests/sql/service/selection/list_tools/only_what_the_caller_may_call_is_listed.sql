begin;
select plan(6);

select t.make_catalog(), t.make_principal('alice'), t.make_principal('bob');
select t.make_tool('tracker', 'held_back');
select catalog.decide_items(array(select i.id from catalog.item as i where i.name = 'held_back'), 'quarantined', 'for the test', null);
select t.make_rules('{"rules": [{"effect": "deny", "subject": "principal:bob", "tools": "tracker__*"}]}');
select api.put_toolset('tickets', '{"tools": "tracker__*"}');

select t.act_as('bob');
select results_eq(
    $$select l.name, l.visible from service.list_tools() as l$$,
    $$values ('time__convert_time', 2::bigint), ('time__get_current_time', 2)$$, 'what rules hide is neither listed nor counted'
);
select t.through('tickets');
select is_empty($$select * from service.list_tools()$$, 'a toolset gives no more rights');
select t.act_as('alice');
select t.through('tickets');
select results_eq(
    $$select l.name from service.list_tools() as l$$, array['tracker__create_ticket', 'tracker__listTickets'],
    'through a toolset, only its tools; what is in quarantine is missing'
);
select t.act_as('alice');
select results_eq(
    $$select l.definition::jsonb ->> 'name' from service.list_tools() as l where l.name = 'tracker__listTickets'$$,
    array['listTickets'], 'the definition comes along'
);
select is((select count(*) from service.list_tools()), 4::bigint, 'without a toolset, everything');
select is((select max(l.visible) from service.list_tools(1) as l), 4::bigint, 'a shorter list says how many there are');

select * from finish();
rollback;
