begin;
select plan(4);

select t.make_assets(), t.make_principal('alice');
select t.make_rules('{"rules": [{"effect": "deny", "subject": "everyone", "kinds": ["resource"], "names": ["memo://secret/*"]}, {"effect": "deny", "subject": "everyone", "origins": ["second"]}]}');
select t.read_as('alice');
select results_eq($$select a.name from catalog.item as a order by a.id$$, array['memo://plan', 'memo://page/{number}', 'greet'], 'rules hide what they mean');
select t.act_as_superuser();
select t.make_rules('{"rules": [{"effect": "deny", "subject": "everyone", "kinds": ["prompt"], "names": ["first__*"]}]}');
select t.read_as('alice');
select is((select count(*) from catalog.item as a where a.kind = 'prompt'), 0::bigint, 'other rules, other classes');
select is((select count(*) from catalog.item as a), 4::bigint, 'and what was hidden is seen');
select t.act_as_superuser();
select lives_ok($$select catalog.classify_items('{}')$$, 'nothing to class');

select * from finish();
rollback;
