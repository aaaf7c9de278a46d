begin;
select plan(5);

select t.make_principal('alice'), t.make_principal('boss', 'admin'), t.make_catalog();
select api.put_toolset('clock', '{"origins": "time"}', 'what time it is'), api.put_toolset('empty', '{"origins": "nothing"}');
select t.act_as('alice');
select results_eq($$select * from api.find_toolset('clock')$$, $$values ('clock', 'what time it is')$$, 'it is there');
select throws_ok($$select * from api.find_toolset('none')$$, 'QM404', null, 'or not');
select throws_ok($$select * from api.find_toolset('empty')$$, 'QM404', null, 'a toolset without tools is like none');
select t.act_as_superuser();
select t.make_rules('{"rules": [{"effect": "deny", "subject": "principal:alice", "origins": "time"}]}');
select t.act_as('alice');
select throws_ok($$select * from api.find_toolset('clock')$$, 'QM404', null, 'and so is one of hidden tools');
select t.act_as(null);
select throws_ok($$select * from api.find_toolset('clock')$$, 'QM403', null, 'nobody finds it');

select * from finish();
rollback;
