begin;
select plan(3);

select t.make_principal('op', 'operator');
select t.read_as('op', 'qm_operator');
select is(api.configure_modes('{"fast": {"top": 3}, "deep": {"lexical": 100, "dense": 50, "fuzzy": 10, "rerank": 0, "top": 20, "ef_search": 200, "lambda": 0.5, "weight_lexical": 1, "weight_dense": 1, "weight_fuzzy": 0}}'), 2, 'two were written');
select results_eq($$select m.top, m.lexical from selection.mode as m where m.name = 'fast'$$, $$values (3, 24)$$, 'what is left out stays');
select is((select m.top from selection.mode as m where m.name = 'deep'), 20, 'a new one');

select * from finish();
rollback;
