begin;
select plan(15);

select t.make_principal('alice'), t.make_principal('op', 'operator'), t.make_origin('o');
select t.make_tool('o', 'x', 'Adds up numbers.');
create function pg_temp.listed(p_description text) returns text language sql as $$
    select p.outcome || coalesce(', ' || p.reason, '')
    from t.put_tools(jsonb_build_array(jsonb_build_object('origin', 'o', 'name', 'x', 'description', p_description)), false) as p;
$$;
select is(pg_temp.listed('Adds up numbers.'), 'unchanged', 'the same again does not wait');
select is(pg_temp.listed('Adds up other numbers.'), 'changed, pending: the item changed', 'a change waits');
select t.read_as('alice');
select is_empty($$select * from api.select_tools('add up numbers')$$, 'not found');
select throws_ok($$select * from api.describe_tool('o__x')$$, 'QM409', null, 'not described');
select throws_ok($$select * from api.describe_tool('o__x', now() - interval '1 hour')$$, 'QM409', null, 'nor as it was');
select throws_ok($$select * from service.call_begin('o__x', 0, 'r', gen_random_uuid())$$, 'QM409', null, 'not called');
select is_empty($$select t.id from catalog.item as t$$, 'its row is not read');
select is_empty($$select v.version from catalog.item_version as v where v.version = 2$$, 'nor is its new version');
select t.read_as('op', 'qm_operator');
select results_eq($$select d.member, d.before, d.after from api.diff_item('{tool}', 'o__x') as d$$, $$values ('description', 'Adds up numbers.', 'Adds up other numbers.')$$, 'operators see what changed');
select t.act_as_superuser();
select is(pg_temp.listed('Adds up numbers.'), 'changed', 'as it was when it was approved, it is back');
select is(pg_temp.listed('Adds up quite other numbers.'), 'changed, pending: the item changed', 'changed again');
select is(pg_temp.listed('Adds up quite other numbers.'), 'unchanged, pending: the item changed', 'it waits however often it is listed');
select t.read_as('op', 'qm_operator');
select results_eq($$select a.was, a.current_version from api.decide_item('{tool}', 'o__x', 'approved') as a$$, $$values ('pending', 4)$$, 'approved');
select t.read_as('alice');
select results_eq($$select d.version, d.description from api.describe_tool('o__x') as d$$, $$values (4, 'Adds up quite other numbers.')$$, 'described');
select isnt_empty($$select * from api.select_tools('add up quite other numbers')$$, 'found');

select * from finish();
rollback;
