begin;
select plan(5);

select t.make_catalog(), t.make_principal('alice'), api.put_toolset('clock', '{"origins": "time"}');
select t.make_rules('{"rules": [{"effect": "deny", "subject": "principal:alice", "tools": "time__convert_time"}]}');
select t.read_as('alice');
select set_eq($$select x.name from catalog.item as x$$, '{get_current_time, create_ticket, listTickets}'::text[], 'what rules leave');
select t.through('clock');
select set_eq($$select x.name from catalog.item as x$$, '{get_current_time}'::text[], 'of that, through a toolset, what it pins');
select set_eq($$select o.name from catalog.origin as o$$, '{time}'::text[], 'and the origins of those');
select t.through('none');
select is_empty($$select from catalog.item as x$$, 'through none that is there, nothing');
select t.read_as(null);
select is(policy.visible_classes(), null, 'nobody sees no class');

select * from finish();
rollback;
