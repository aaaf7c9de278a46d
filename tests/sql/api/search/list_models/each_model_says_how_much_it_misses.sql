begin;
select plan(3);

select t.make_principal('op', 'operator'), t.make_catalog();
select search.put_model('old', 2, true), t.embed_cards('tool', 'old');
select search.put_model('new', 3, false, '/models/new');
select t.act_as('op', 'qm_operator');
select results_eq(
    $$select m.name, m.dimension, m.active, m.source, m.missing > 0 from api.list_models() as m$$,
    $$values ('old', 2, true, 'old', false), ('new', 3, false, '/models/new', true)$$, 'the active one first'
);
select is_empty($$select m.missing from api.list_models(counted => false) as m where m.missing is not null$$, 'not counted where nobody asks');
select t.act_as(null, 'qm_operator');
select throws_ok($$select * from api.list_models()$$, 'QM403', null, 'nobody is refused');

select * from finish();
rollback;
