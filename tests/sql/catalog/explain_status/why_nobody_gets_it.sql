begin;
select plan(8);

select t.make_catalog(), t.make_principal('alice'), t.make_principal('op', 'operator');
update catalog.item set status = 'pending', status_reason = 'changed' where public_name = 'time__convert_time';
update catalog.item set status = 'deprecated', status_reason = 'old' where public_name = 'time__get_current_time';
update catalog.item set deprecated_at = core.now() where public_name = 'tracker__listTickets';
select t.read_as('alice');
select is(catalog.explain_status('tool', 'time__convert_time', false) -> 'detail' ->> 'status', 'pending', 'its status');
select is(catalog.explain_status('tool', 'time__convert_time', false) -> 'detail' ->> 'cause', null, 'not its cause');
select is(catalog.explain_status('tool', 'time__convert_time', true) -> 'detail' ->> 'cause', 'changed', 'for who may know');
select is(catalog.explain_status('tool', 'time__get_current_time', false) -> 'detail' ->> 'cause', 'old', 'what an operator took out of use');
select is(catalog.explain_status('tool', 'tracker__listTickets', false) -> 'detail' ->> 'status', 'gone', 'what the server took out of its list');
select is(catalog.explain_status('tool', 'tracker__create_ticket', true), null, 'what is offered');
select t.act_as_superuser();
select t.make_all_tools('[{"origin": "time", "name": "redraw_clock", "description": "Redraw the clock.", "input_schema": {"type": "object"},
    "extra": {"_meta": {"ui": {"visibility": ["app"]}}}}]');
select t.read_as('alice');
select is(catalog.explain_status('tool', 'time__redraw_clock', false) -> 'detail' ->> 'status', 'interface', 'what only a user interface calls');
select t.act_as_superuser();
select t.make_rules('{"rules": [{"effect": "deny", "subject": "role:user", "names": "time__*", "reason": "so"}]}');
select t.read_as('alice');
select is(catalog.explain_status('tool', 'time__convert_time', true), null, 'what is hidden');

select * from finish();
rollback;
