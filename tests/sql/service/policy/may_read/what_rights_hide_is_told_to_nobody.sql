begin;
select plan(5);

select t.make_assets(), t.make_principal('alice');
select t.act_as('alice');
select is(service.may_read('memo://plan'), true, 'what is seen');
select is(service.may_read('memo://plan', 'second'), true, 'at a door of its own');
select is(service.may_read('memo://nothing'), false, 'what is not there');
select t.act_as_superuser();
select t.make_rules('{"rules": [{"effect": "deny", "subject": "everyone", "kinds": ["resource"], "names": ["memo://plan"]}]}');
select t.act_as('alice');
select is(service.may_read('memo://plan'), false, 'what is hidden by now');
select t.act_as(null);
select throws_ok($$select service.may_read('memo://plan')$$, 'QM403', null, 'without a principal nothing');

select * from finish();
rollback;
