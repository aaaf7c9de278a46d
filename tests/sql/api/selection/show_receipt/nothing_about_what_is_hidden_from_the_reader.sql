begin;
select plan(12);

select t.make_origin('first'), t.make_origin('second'), t.make_principal('alice'), t.make_principal('boss', 'admin');
select t.make_tool('first', 'search', 'Search the web.'), t.make_tool('second', 'search', 'Search the web with this.');
select t.make_tool('first', 'look', 'Look at the web.');
create function pg_temp.ref(p_name text) returns bigint language sql as $$ select i.id from catalog.item as i where i.public_name = p_name $$;
insert into selection.receipt (principal_id, kind, goal, mode, offered, withheld, duration_ms)
select p.id, 'tool', 'search the web', 'fast', jsonb_build_array(
    jsonb_build_object(
        'rank', 1, 'name', 'second__search', 'ref', pg_temp.ref('second__search'), 'score', 0.9, 'scores', '{"lexical": 3}'::jsonb,
        'duplicates', '["first__search"]'::jsonb, 'unavailable', '{"reason": "second is down", "remedy": "wait"}'::jsonb
    ),
    jsonb_build_object('rank', 2, 'name', 'first__look', 'ref', pg_temp.ref('first__look'), 'score', 0.5)
), '{"below_cut": 3, "not_visible": 2}', 1
from policy.principal as p where p.name = 'alice';
insert into calls.call (principal_id, instance_id, request_id, kind, ref, version, argument_bytes, outcome, ended_at, duration_ms, failure)
select r.principal_id, gen_random_uuid(), 'r', 'tool', pg_temp.ref('second__search'), 1, 0, 'tool_error', now(), 5, 'second__search broke'
from selection.receipt as r;
create function pg_temp.told() returns text language sql as $$ select string_agg(s::text, e'\n') from api.show_receipt((select api.last_receipt())) as s $$;
create function pg_temp.told(p_receipt bigint) returns text language sql as $$ select string_agg(s::text, e'\n') from api.show_receipt(p_receipt) as s $$;
create temporary table written as select r.id from selection.receipt as r;
grant select on written to public;
grant execute on all functions in schema pg_temp to public;

select t.act_as('alice');
select alike(pg_temp.told(), '%second__search%broke%', 'while she may see it, she sees how it went');
select alike(pg_temp.told(), '%first__search%', 'and its duplicate');
select unalike(pg_temp.told(), '%could not see%', 'but not how many cards a rule hid from her');
select t.act_as_superuser();
select t.make_rules('{"rules": [{"effect": "deny", "subject": "everyone", "origins": "second"}]}');
select t.act_as('alice');
select unalike(pg_temp.told(), '%second%', 'a name is gone when a rule hides the tool, with errors that quote it');
select unalike(pg_temp.told(), '%lexical%', 'and its scores');
select is((select array_agg(s.name order by s.rank) from api.show_receipt(api.last_receipt()) as s where s.part = 'offered'), '{null,first__look}'::text[], 'the others stay at their places');
select is(
    (select s.text from api.show_receipt(api.last_receipt()) as s where s.part = 'offered' and s.name is null),
    (select s.text from api.show_receipt(api.last_receipt()) as s where s.part = 'called'), 'a call says nothing more'
);
select t.act_as('boss', 'qm_admin');
select unalike(pg_temp.told((select w.id from written as w)), '%second%', 'an administrator from whom it is hidden does not see it, either');
select alike(pg_temp.told((select w.id from written as w)), '%2 cards: the principal could not see%', 'he learns how many cards were hidden');

select t.act_as_superuser();
select t.make_rules('{"rules": [{"effect": "deny", "subject": "principal:alice", "names": "first__search"}]}');
select t.act_as('alice');
select unalike(pg_temp.told(), '%first__search%', 'a duplicate is named to whom may see it');
select t.act_as_superuser();
select t.make_rules('{"rules": []}');
update catalog.item set status = 'quarantined' where public_name = 'second__search';
select catalog.show_items(array(select i.id from catalog.item as i));
select t.act_as('alice');
select unalike(pg_temp.told(), '%second%', 'what is in quarantine has no name');
select t.act_as_superuser();
update catalog.item set status = 'approved', deprecated_at = now() where public_name = 'second__search';
select catalog.show_items(array(select i.id from catalog.item as i));
select t.act_as('alice');
select alike(pg_temp.told(), '%second__search%', 'what its server no longer offers keeps it');

select * from finish();
rollback;
