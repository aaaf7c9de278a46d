begin;
select plan(20);

select t.make_catalog(), t.make_principal('alice'), t.make_principal('op', 'operator');
select t.make_tool(
    'tracker', 'find', 'Finds.',
    '{"type": "object", "properties": {"q": {"type": "string"}, "account": {"type": "string"}, "max": {"type": "integer"}}, "required": ["q", "account"]}'
);
select t.act_as('alice');
select throws_ok($$select * from api.repair_tool('tracker__find', '{"title": "x"}')$$, '42501', null, 'users do not');
select t.act_as('op', 'qm_operator');
select throws_ok($$select * from api.repair_tool('tracker__no_such', '{"title": "x"}')$$, 'QM404', null, 'no such tool');
select throws_ok($$select * from api.repair_tool('tracker__find', undo => true)$$, 'QM404', null, 'there is nothing to undo yet');
select results_eq(
    $$select r.tool, r.member, r.before, r.after from api.repair_tool('tracker__find', '{"title": "Find tickets"}', dry_run => true) as r$$,
    $$values ('tracker__find', 'title', null::text, 'Find tickets')$$, 'a preview says what would change'
);
select is_empty($$select r.* from api.list_repairs(history => true) as r$$, 'and changes nothing');

select isnt_empty($$select r.* from api.repair_tool('tracker__find', '{
    "name": "search_tickets", "title": "Find tickets", "brief": "Searches tickets.", "description": "Searches tickets by words.",
    "phrases": ["look up a complaint"], "categories": ["support"], "examples": [{"words": "printer"}],
    "arguments": {
        "q": {"name": "words", "description": "Words of the ticket."}, "account": {"hidden": true, "default": "acme"}, "max": {"default": 5}
    }
}', reason => 'nobody found it') as r$$, 'it is made');
select results_eq(
    $$select d.tool, d.title, d.description, d.input_schema from api.describe_tool('tracker__search_tickets') as d$$,
    $$values ('find', 'Find tickets', 'Searches tickets by words.', '{"type": "object", "required": ["words"], "properties": {
        "max": {"type": "integer", "default": 5}, "words": {"type": "string", "description": "Words of the ticket."}}}'::jsonb)$$,
    'it is described in this way; its origin knows it by the old name'
);
select throws_ok($$select * from api.describe_tool('tracker__find')$$, 'QM404', null, 'the old name is gone');
select results_eq(
    $$select s.name, s.brief from api.select_tools('look up a complaint') as s where s.rank = 1$$,
    $$values ('tracker__search_tickets', 'Searches tickets.')$$, 'a phrase finds it'
);
select is(
    api.describe_card('tool', 'tracker__search_tickets')::text ~ 'acme|account', false, 'nobody is told what is hidden'
);
select results_eq(
    $$select l.origin, l.tool, l.own_name, l.version, l.changes #>> '{arguments,q,name}', l.notices, l.reason, l.made_by from api.list_repairs() as l$$,
    $$values ('tracker', 'tracker__search_tickets', 'find', 1, 'words', '{}'::text[], 'nobody found it', 'op')$$, 'the list of repairs has it'
);
select isnt_empty(
    $$select d.member from api.diff_item(array['tool'], 'tracker__search_tickets', 1, 2) as d where d.member = 'repair/names/words' and d.after = 'q'$$,
    'it is a version of the tool, in which the difference can be seen'
);
select t.act_as_superuser();
select results_eq(
    $$select i.categories, catalog.probe_examples(i.id), i.status from catalog.item as i where i.name = 'find'$$,
    $$values ('{support}'::text[], '[{"words": "printer"}]'::jsonb, 'approved')$$, 'probes use its examples, rules its categories'
);
select t.act_as('op', 'qm_operator');

-- Changes are added; null takes one back; an argument may be named as people see it.
select is_empty($$select r.* from api.repair_tool('tracker__search_tickets', '{"brief": null, "arguments": {"words": {"description": null}, "max": null}}') as r where r.member = 'name'$$, 'what is not named stays');
select is(
    (select l.changes -> 'arguments' from api.list_repairs() as l), '{"q": {"name": "words"}, "account": {"hidden": true, "default": "acme"}}',
    'the rest is as it was'
);
select isnt_empty($$select r.* from api.repair_tool('tracker__search_tickets', undo => true) as r$$, 'the last change is undone');
select is((select d.input_schema #> '{properties,max,default}' from api.describe_tool('tracker__search_tickets') as d), '5', 'what it changed is back');
select isnt_empty($$select r.* from api.repair_tool('tracker__search_tickets', undo => true) as r$$, 'and the first one, too');
select results_eq(
    $$select d.title, d.description, d.input_schema -> 'required' from api.describe_tool('tracker__find') as d$$,
    $$values (null::text, 'Finds.', '["q", "account"]'::jsonb)$$, 'the tool is as its origin lists it'
);
select results_eq(
    $$select l.version, l.is_current, l.changes = '{}' from api.list_repairs(of_origin => 'tracker', history => true) as l$$,
    $$values (1, false, false), (2, false, false), (3, false, false), (4, true, true)$$, 'nothing is forgotten'
);

select * from finish();
rollback;
