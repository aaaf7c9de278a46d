begin;
select plan(5);

select t.make_principal('boss', 'admin');
set constraints all immediate;
set constraints all deferred;
create temporary table before as select max(r.id) as id from audit.record as r;
select policy.put_version('{"default": "allow", "rules": [{"effect": "deny", "subject": "everyone", "origins": ["time"]}, {"effect": "deny", "subject": "role:user", "destructive": true}]}');
select t.act_as('boss', 'qm_admin');
select api.put_toolset('reading', '{"origins": ["time"]}');
set constraints all immediate;
select t.act_as_superuser();
create temporary view fresh as select r.* from audit.record as r inner join before as b on r.id > b.id;
select results_eq('select f.table_name from fresh as f order by f.id', array['policy.rule_version', 'policy.toolset'], 'one record each');
select is((select f.after -> 'rules' -> 0 -> 'origins' from fresh as f where f.table_name = 'policy.rule_version'), '["time"]', 'with the rules');
select is((select f.after -> 'pinned' from fresh as f where f.table_name = 'policy.toolset'), '{"origins": ["time"]}', 'and with what is pinned');
update policy.rule set effect = 'allow' where subject = 'role:user' and version_id = (select max(v.id) from policy.rule_version as v);
select is((select f.after from fresh as f where f.table_name = 'policy.rule'), '{"effect": "allow"}', 'a rule that is changed afterwards is a record of its own');
select is(audit.details('principal', '{}'), null, 'other rows say all');

select * from finish();
rollback;
