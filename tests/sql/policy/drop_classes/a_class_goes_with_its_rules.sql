begin;
select plan(6);

select t.make_catalog();
select t.make_rules('{"rules": [{"effect": "deny", "subject": "everyone", "tools": "time__*"}]}');
select is((select count(*) from policy.rights_class), 2::bigint, 'one for what is meant, one for the rest');
select t.make_rules('{"rules": [{"effect": "deny", "subject": "everyone", "tools": "tracker__*"}]}');
select is((select count(*) from policy.rights_class), 2::bigint, 'one goes, one comes');
select is((select max(c.id) from policy.rights_class as c), 2, 'beside it');
select t.make_rules('{"rules": [{"effect": "deny", "subject": "everyone", "tools": "time__c*"}]}');
select is((select max(c.id) from policy.rights_class as c), 1, 'and its number is used again');
select t.make_rules('{}');
select results_eq($$select c.id, c.matchers from policy.rights_class as c$$, $$values (0, '{}'::integer[])$$, 'without rules there is one');
select is_empty($$select from catalog.item as x where x.rights_class <> 0$$, 'and everything is of it');

select * from finish();
rollback;
