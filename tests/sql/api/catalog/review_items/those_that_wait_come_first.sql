begin;
select plan(7);

select t.make_assets(), t.make_principal('alice'), t.make_principal('op', 'operator');
select t.put_items('prompt', 'first', '[{"name": "greet", "description": "Greets."}]', false);
update catalog.item set deprecated_at = now() where name = 'memo://secret/key';
select catalog.show_items(array(select i.id from catalog.item as i where i.name = 'memo://secret/key'));
select t.act_as('alice', 'qm_user');
select throws_ok($$select * from api.review_items('{resource,resource_template,prompt,instructions}')$$, '42501', null, 'not for users');
select t.act_as('op', 'qm_operator');
select results_eq(
    $$select r.name, r.status, r.reason, r.brief from api.review_items('{resource,resource_template,prompt,instructions}') as r limit 2$$,
    $$values ('first__greet', 'pending', 'the item changed', 'Greets.'), ('memo://plan', 'approved', '', '')$$, 'what waits, and the rest'
);
select results_eq($$select r.name from api.review_items('{resource,resource_template,prompt,instructions}', with_status => 'gone') as r$$, array['memo://secret/key'], 'what is gone');
select results_eq($$select r.name from api.review_items('{resource,resource_template,prompt,instructions}', of_origin => 'second') as r$$, array['quartermaster://second/memo://plan'], 'of an origin');
select results_eq($$select r.name from api.review_items('{resource_template}', maximum => 1) as r$$, array['memo://page/{number}'], 'of a kind');
select throws_ok($$select * from api.review_items('{nope}')$$, 'QM404', 'there is no kind of card called ''nope''', 'an unknown kind');
select throws_ok($$select * from api.review_items(of_origin => 'nope')$$, 'QM404', 'there is no origin called ''nope''', 'an unknown origin');

select * from finish();
rollback;
