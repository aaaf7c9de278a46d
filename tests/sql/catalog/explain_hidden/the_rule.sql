begin;
select plan(4);

select t.make_catalog(), t.make_principal('alice');
select t.make_rules('{"rules": [{"effect": "deny", "subject": "role:user", "names": "time__*", "reason": "so"}]}');
select t.read_as('alice');
select is(catalog.explain_hidden('tool', 'time__convert_time', true) #>> '{detail,because}', 'rule 1: deny role:user: so', 'which rule');
select is(catalog.explain_hidden('tool', 'time__convert_time', false), null, 'for who may know');
select is(catalog.explain_hidden('tool', 'tracker__create_ticket', true), null, 'what is visible');
select is(catalog.explain_hidden('tool', 'none', true), null, 'what does not exist');

select * from finish();
rollback;
