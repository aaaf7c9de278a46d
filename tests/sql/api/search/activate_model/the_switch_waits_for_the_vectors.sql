begin;
select plan(6);

select t.make_principal('op', 'operator'), t.make_catalog();
select search.put_model('old', 2, true), t.embed_cards('tool', 'old');
select search.put_model('new', 3, false);
select t.read_as('op', 'qm_operator');
select throws_ok($$select api.activate_model('none')$$, 'QM404', null, 'there is no such model');
select throws_ok($$select api.activate_model('new')$$, 'QM409', null, 'its vectors are missing');
select is((select m.name from search.model as m where m.active), 'old', 'the old one answers on');
select cmp_ok(api.activate_model('new', forced => true), '>', 0::bigint, 'unless it is forced');
select t.act_as_superuser();
select t.embed_cards('tool', 'new');
select t.read_as('op', 'qm_operator');
select is(api.activate_model('new'), 0::bigint, 'nothing is missing now');
select results_eq($$select m.name from search.model as m where m.active$$, $$values ('new')$$, 'one model is active');

select * from finish();
rollback;
