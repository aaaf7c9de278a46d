begin;
select plan(4);

select t.make_project('shop', 'alice');
create temporary table made as select t.make_decisions('shop', t.candidate('Use the session.', '{"keywords": ["pool"], "polarity": "avoid"}')) as ids;
select t.act_as('alice', 'qm_user');
select api.put_candidates(jsonb_build_array(t.candidate('A candidate.')));
select t.act_as_superuser();
create temporary table card as select c.* from search.card as c where c.kind = 'decision';
select search.remove_cards('decision', (select ids from made));
select decisions.show_cards(array(select d.id from decisions.decision as d));
select results_eq(
    $$select c.ref, c.name, c.brief from search.card as c where c.kind = 'decision'$$, $$select ids[1], 'decision-' || ids[1], 'Use the session.' from made$$, 'a canonical one has a card, and a candidate has none'
);
select results_eq($$select c.text_hash, c.categories, c.tokens, c.audience_id from search.card as c where c.kind = 'decision'$$, $$select c.text_hash, c.categories, c.tokens, c.audience_id from card as c$$, 'the same as before');
select t.log_in('cora');
select ok(api.reopen_decisions((d -> 'id')::bigint || '{}'::bigint[]) = 1, 'one that is reopened') from api.find_decisions(status => 'canonical') as d;
select t.act_as_superuser();
select is_empty($$select from search.card as c where c.kind = 'decision'$$, 'loses it');

select * from finish();
rollback;
