begin;
select plan(11);

select t.make_catalog(), api.put_organisation('acme'), policy.put_principal('alice', 'agent', 'user', null, 'acme'), t.make_principal('bob');
create function pg_temp.seen(p_name text, p_toolset text default null) returns text[] language sql as $$
    select array(
        select x.name from catalog.item as x
        cross join policy.principal as p
        where p.name = p_name and policy.is_visible(x.rights_class, policy.rights_of(p.id, p_toolset))
        order by 1
    );
$$;
select t.make_rules('{"default": "deny"}');
select is(pg_temp.seen('alice'), '{}', 'the default');
select t.make_rules('{"default": "deny", "rules": [{"effect": "allow", "subject": "organisation:acme", "origins": "time"}]}');
select is(pg_temp.seen('alice'), '{convert_time, get_current_time}', 'an allow of the organisation');
select is(pg_temp.seen('bob'), '{}', 'is for its members only');
select t.make_rules('{"default": "deny", "rules": [{"effect": "allow", "subject": "everyone", "origins": ["time", "tracker"]}, {"effect": "deny", "subject": "principal:alice", "tools": "*__*_*"}]}');
select is(pg_temp.seen('alice'), '{listTickets}', 'a deny overrules it, wherever it stands');
select is(pg_temp.seen('bob'), '{convert_time, create_ticket, get_current_time, listTickets}', 'for its own subject');
select api.put_toolset('desk', '{"tools": ["tracker__*"]}');
select is(pg_temp.seen('bob', 'desk'), '{create_ticket, listTickets}', 'a toolset shows what it pins');
select is(pg_temp.seen('alice', 'desk'), '{listTickets}', 'and adds nothing');
select is(pg_temp.seen('bob', 'none'), '{}', 'one that is not there shows nothing');
select t.make_rules('{"rules": [{"effect": "deny", "subject": "toolset:desk", "tools": "tracker__create*"}]}');
select is(pg_temp.seen('bob', 'desk'), '{listTickets}', 'rules of its own hold inside');
select is(pg_temp.seen('bob'), '{convert_time, create_ticket, get_current_time, listTickets}', 'and nowhere else');
update policy.principal set enabled = false where name = 'bob';
select is(pg_temp.seen('bob'), '{}', 'who is disabled sees nothing');

select * from finish();
rollback;
