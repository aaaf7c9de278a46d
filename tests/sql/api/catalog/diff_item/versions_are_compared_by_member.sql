begin;
select plan(10);

select t.make_principal('alice'), t.make_principal('op', 'operator'), t.make_origin('o');
select t.make_tool('o', 'x', 'One.'), t.make_tool('o', 'x', 'Two.');
select p.outcome from t.put_tools('[{"origin": "o", "name": "x", "description": "Three."}]', false) as p;
select p.outcome from t.put_tools('[{"origin": "o", "name": "x", "description": "Four."}]', false) as p;
select t.act_as('alice');
select throws_ok($$select * from api.diff_item('{tool}', 'o__x')$$, '42501', null, 'a user may not');
select t.act_as(null, 'qm_operator');
select throws_ok($$select * from api.diff_item('{tool}', 'o__x')$$, 'QM403', null, 'nor nobody');
select t.act_as('op', 'qm_operator');
select results_eq($$select d.* from api.diff_item('{tool}', 'o__x') as d$$, $$values (2, 4, 'description', 'Two.', 'Four.')$$, 'from the approved one to the newest');
select results_eq($$select d.* from api.diff_item('{tool}', 'o__x', 1, 3) as d$$, $$values (1, 3, 'description', 'One.', 'Three.')$$, 'any two');
select is_empty($$select d.* from api.diff_item('{tool}', 'o__x', 4, 4) as d$$, 'one and the same');
select results_eq($$select d.member, d.before, d.after from api.diff_item('{tool}', 'o__x', 0, 1) as d where d.member = 'description'$$, $$values ('description', null, 'One.')$$, 'or all that is new');
select throws_ok($$select * from api.diff_item('{tool}', 'o__x', 1, 9)$$, 'QM404', null, 'a version that is not there');
select throws_ok($$select * from api.diff_item('{tool}', 'o__y')$$, 'QM404', null, 'a tool that is not there');
select api.decide_item('{tool}', 'o__x', 'approved');
select is_empty($$select d.* from api.diff_item('{tool}', 'o__x') as d$$, 'an approved version did not change since');
select api.decide_item('{tool}', 'o__x', 'quarantined');
select is_empty($$select d.* from api.diff_item('{tool}', 'o__x') as d$$, 'nor does quarantine change it');

select * from finish();
rollback;
