begin;
select plan(4);

select t.make_catalog(), t.make_principal('alice'), t.make_principal('bob'), t.make_principal('carol');
update policy.principal set enabled = false where name = 'carol';
create temporary table told as select t.make_rules('{"rules": [{"effect": "deny", "subject": "principal:alice", "origins": "time"}]}') as changes;
select is(
    (select jsonb_path_query_array(changes, '$.changes[*] ? (@.principal == "alice")') from told),
    '[{"principal": "alice", "role": "user", "organisation": null, "gained": 0, "lost": 2, "gains": [], "loses": ["time__convert_time", "time__get_current_time"]}]', 'who loses'
);
select is((select jsonb_array_length(changes -> 'changes') from told), 1, 'and nobody else');
create temporary table back as select t.make_rules('{"default": "deny", "rules": [{"effect": "allow", "subject": "principal:alice", "origins": "time"}]}') as changes;
select is((select jsonb_path_query_array(changes, '$.changes[*] ? (@.principal == "alice").gains[*]') from back), '["time__convert_time", "time__get_current_time"]', 'who gains');
select is((select jsonb_path_query_array(changes, '$.changes[*] ? (@.principal == "bob").lost') from back), '[4]', 'who loses all');

select * from finish();
rollback;
