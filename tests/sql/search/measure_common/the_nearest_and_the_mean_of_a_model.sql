begin;
select plan(3);

create temporary table model as select search.put_model('m', 2, true) as id, search.put_model('bare', 2, false) as bare;
insert into search.common_goal (model, number, vector) values ('m', 1, '[0, 7]'), ('m', 2, '[3, 0]'), ('other', 1, '[0.6, 0.8]'), ('m', 3, '[1, 0, 0]');
select results_eq(
    $$select round(c.highest::numeric, 2), round(c.mean::numeric, 2) from model as m cross join search.measure_common(m.id, '[0.6, 0.8]') as c$$,
    $$values (0.80, 0.70)$$, 'goals of other models and dimensions do not count'
);
select is_empty($$select from model as m cross join search.measure_common(m.bare, '[0.6, 0.8]')$$, 'a model without goals has no answer');
select is_empty($$select from model as m cross join search.measure_common(m.id, '[1, 0, 0, 0]')$$, 'nor has a vector of another dimension');

select * from finish();
rollback;
