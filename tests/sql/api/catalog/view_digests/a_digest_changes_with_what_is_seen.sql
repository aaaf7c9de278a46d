begin;
select plan(4);

select t.make_catalog(), t.make_assets(), t.make_principal('alice'), t.make_principal('bob');
select t.make_rules('{"rules": [{"effect": "deny", "subject": "principal:bob", "names": ["memo://secret/*"]}]}');
create temporary table was as select null::text as who, null::text as kind, null::text as digest where false;
grant all on was to public;
select t.act_as('alice');
insert into was select 'alice', d.* from api.view_digests() as d;
select t.act_as('bob');
insert into was select 'bob', d.* from api.view_digests() as d;
select t.act_as_superuser();
select is((select count(distinct w.digest) from was as w where w.kind = 'resource'), 2::bigint, 'who sees other things has another digest');
select is((select count(distinct w.digest) from was as w where w.kind = 'prompt'), 1::bigint, 'who sees the same, the same');
select t.put_items('resource', 'first', '[{"uri": "memo://plan", "name": "plan"}, {"uri": "memo://secret/key", "name": "changed"}]');
select t.act_as('bob');
select is((select d.digest from api.view_digests() as d where d.kind = 'resource'), (select w.digest from was as w where w.kind = 'resource' and w.who = 'bob'), 'a hidden change is no news');
select t.act_as('alice');
select isnt((select d.digest from api.view_digests() as d where d.kind = 'resource'), (select w.digest from was as w where w.kind = 'resource' and w.who = 'alice'), 'a visible one is');

select * from finish();
rollback;
