begin;
select plan(6);

select t.make_catalog(), t.make_principal('alice');
select api.put_toolset('clock', '{"origins": "time"}');
select t.make_rules('{"default": "deny", "rules": [
    {"effect": "allow", "subject": "everyone", "origins": "*"},
    {"effect": "deny", "subject": "role:user", "tools": "time__c*", "reason": "no arithmetic"},
    {"effect": "deny", "subject": "principal:alice", "tools": "time__*_time"}
]}');
create function pg_temp.verdict(p_tool text, p_toolset text default null) returns text language sql as $$
    select concat_ws(' ', d.is_allowed, d.rule, d.reason)
    from catalog.item as x
    cross join policy.principal as p
    cross join lateral policy.decide(p.id, p_toolset, x.rights_class) as d
    where x.name = p_tool and p.name = 'alice';
$$;
select is(pg_temp.verdict('convert_time'), 'f 2 rule 2: deny role:user: no arithmetic', 'the first deny');
select is(pg_temp.verdict('get_current_time', 'clock'), 'f 3 rule 3: deny principal:alice', 'before the toolset');
select is(pg_temp.verdict('create_ticket', 'clock'), 'f toolset clock does not contain the item', 'the toolset before an allow');
select is(pg_temp.verdict('create_ticket'), 't 1 rule 1: allow everyone', 'an allow');
select t.make_rules('{"default": "deny"}');
select is(pg_temp.verdict('create_ticket'), 'f default deny', 'the default');
update policy.principal set enabled = false where name = 'alice';
select t.make_rules('{}');
select is(pg_temp.verdict('create_ticket'), 'f default allow', 'nobody who is disabled');

select * from finish();
rollback;
