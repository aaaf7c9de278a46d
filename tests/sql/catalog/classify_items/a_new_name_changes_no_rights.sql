begin;
select plan(4);

select t.make_catalog(), t.make_principal('alice');
select t.make_rules('{"default": "allow", "rules": [{"effect": "deny", "subject": "principal:alice", "tools": ["tracker__create_*"], "reason": "x"}]}');
select catalog.put_repair(i.origin_id, i.name, '{"name": "open_ticket"}', false, '', false) from catalog.item as i where i.name = 'create_ticket';
select catalog.put_repair(i.origin_id, i.name, '{"name": "create_list"}', false, '', false) from catalog.item as i where i.name = 'listTickets';
select catalog.classify_items();
select t.act_as('alice');
select throws_ok($$select * from api.describe_tool('tracker__open_ticket')$$, 'QM404', null, 'what was denied is denied');
select isnt_empty($$select * from api.describe_tool('tracker__create_list')$$, 'what was allowed is allowed');
select t.act_as_superuser();
select catalog.put_repair(i.origin_id, i.name, '{"name": "new_ticket"}', false, '', false) from catalog.item as i where i.name = 'create_ticket';
select is(i.definition #>> '{repair,listed_as}', 'tracker__create_ticket', 'also after another new name') from catalog.item as i where i.name = 'create_ticket';
select catalog.put_repair(i.origin_id, i.name, '{"name": null}', false, '', false) from catalog.item as i where i.name = 'create_ticket';
select is(i.public_name, 'tracker__create_ticket', 'the old name comes back') from catalog.item as i where i.name = 'create_ticket';

select * from finish();
rollback;
