begin;
select plan(5);

select t.make_assets(), t.make_principal('alice');
select t.put_items('prompt', 'first', '[{"name": "summary", "description": "Sums up a page for a busy reader."}]');
select t.act_as('alice');
select is(api.describe_card('prompt', 'first__summary') #>> '{definition,description}', 'Sums up a page for a busy reader.', 'a prompt with its definition');
select is(api.describe_card('resource', 'memo://plan') ->> 'origin', 'first', 'a resource by its URI');
select throws_ok($$select api.describe_card('prompt', 'first__nothing')$$, 'QM404', null, 'one that is not there');
select results_eq(
    $$select c.name from api.search_cards('sum up a page', kinds => '{prompt}') as c where c.rank = 1$$, array['first__summary'], 'prompts are found by words'
);
select t.act_as_superuser();
select catalog.decide_items(array(select i.id from catalog.item as i where i.name = 'summary'), 'quarantined', '', null);
select t.act_as('alice');
select throws_ok($$select api.describe_card('prompt', 'first__summary')$$, 'QM409', null, 'nor is what is in quarantine');

select * from finish();
rollback;
