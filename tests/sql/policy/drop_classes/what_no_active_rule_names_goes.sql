begin;
select plan(2);

select t.make_rules('{"rules": [{"effect": "deny", "subject": "everyone", "tools": "x__*"}]}');
insert into policy.rights_class (id, matchers) values
(70, array[policy.put_matcher('{"tools": "x__*"}')]), (71, array[policy.put_matcher('{"tools": "gone__*"}')]);
select policy.drop_classes();
select set_eq($$select c.id from policy.rights_class as c where c.id in (70, 71)$$, array[70], 'the class of an active rule stays');
select is((select get_bit(s.denies, 70) from policy.subject_rights as s where s.subject = 'everyone'), 1, 'and the rights are rebuilt');

select * from finish();
rollback;
