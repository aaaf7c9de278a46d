begin;
select plan(5);

select t.make_assets(), t.make_principal('alice'), t.make_principal('op', 'operator');
select catalog.put_assets(catalog.origin_id('first'), 'prompt', '[{"name": "greet", "description": "Greets."}]');
select catalog.put_assets(catalog.origin_id('first'), 'resource', '[{"uri": "memo://plan", "name": "plan"}]');
select t.act_as('alice', 'qm_user');
select throws_ok($$select * from api.review_assets()$$, '42501', null, 'not for users');
select t.act_as('op', 'qm_operator');
select results_eq(
    $$select r.name, r.status, r.reason, r.brief from api.review_assets() as r limit 2$$,
    $$values ('first__greet', 'pending', 'it changed', 'Greets.'), ('memo://plan', 'approved', '', 'plan')$$, 'what waits, and the rest'
);
select results_eq($$select r.name from api.review_assets(with_status => 'gone') as r$$, array['memo://secret/key'], 'what is gone');
select results_eq($$select r.name from api.review_assets(of_origin => 'second') as r$$, array['quartermaster://second/memo://plan'], 'of an origin');
select results_eq($$select r.name from api.review_assets(of_kind => 'resource_template', maximum => 1) as r$$, array['memo://page/{number}'], 'of a kind');

select * from finish();
rollback;
