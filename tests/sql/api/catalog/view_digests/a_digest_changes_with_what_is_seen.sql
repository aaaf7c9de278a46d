begin;
select plan(4);

select t.make_catalog(), t.make_assets(), t.make_principal('alice'), t.make_principal('bob');
select t.make_rules('{"rules": [{"effect": "deny", "subject": "principal:bob", "names": ["memo://secret/*"]}]}');
create temporary table was as select null::text as who, null::text as tools, null::text as resources, null::text as prompts where false;
grant all on was to public;
select t.act_as('alice');
insert into was select 'alice', d.* from api.view_digests() as d;
select t.act_as('bob');
insert into was select 'bob', d.* from api.view_digests() as d;
select t.act_as_superuser();
select is((select count(distinct w.resources) from was as w), 2::bigint, 'who sees other things has another digest');
select is((select count(distinct w.tools || w.prompts) from was as w), 1::bigint, 'who sees the same, the same');
select t.put_items('resource', 'first', '[{"uri": "memo://plan", "name": "plan"}, {"uri": "memo://secret/key", "name": "changed"}]');
select t.act_as('bob');
select is((select d.resources from api.view_digests() as d), (select w.resources from was as w where w.who = 'bob'), 'a hidden change is no news');
select t.act_as('alice');
select isnt((select d.resources from api.view_digests() as d), (select w.resources from was as w where w.who = 'alice'), 'a visible one is');

select * from finish();
rollback;
