-- Another kind becomes the default: every function that takes a kind then means it.
begin;
select plan(8);

select t.make_assets();
select t.put_items('prompt', 'second', '[{"name": "greet"}]');
update search.kind as k set is_default = false where k.is_default;
update search.kind as k set is_default = true where k.name = 'prompt';
select t.make_principal('alice'), t.make_principal('op', 'operator');
select t.make_rules('{"rules": [{"effect": "deny", "subject": "principal:alice", "kinds": ["prompt"], "names": ["first__greet"]}]}');
select t.act_as('alice');
select set_eq($$select f.kind from api.search_cards('greet somebody') as f$$, array['prompt'], 'search_cards');
select is((select array(select jsonb_object_keys(f.cards)) from api.find_cards('greet somebody') as f), array['prompt'], 'find_cards');
select isnt_empty($$select * from api.rerank_candidates('greet somebody')$$, 'rerank_candidates');
select lives_ok($$select service.record_denial('first__greet')$$, 'record_denial');
select is((select b.call_id from service.call_begin('first__greet', 1, 'r', gen_random_uuid()) as b), null, 'call_begin');
select t.act_as('op', 'qm_operator');
select is((select e.is_allowed from api.explain_rights('alice', 'first__greet') as e), false, 'explain_rights');
select is(api.debug_select('greet somebody') #>> '{offered,0,kind}', 'prompt', 'debug_select');
select t.act_as_superuser();
select results_eq($$select d.kind from policy.decision as d$$, array['prompt', 'prompt'], 'what was denied is logged under it');

select * from finish();
rollback;
