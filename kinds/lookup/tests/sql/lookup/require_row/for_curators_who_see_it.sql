begin;
select plan(5);

select t.make_lookups(), t.make_principal('alice'), t.make_principal('op', 'operator');
select t.make_rules('{"rules": [{"effect": "deny", "subject": "principal:op", "kinds": ["lookup"], "names": ["Betula nana"]}]}');
create function pg_temp.required(p_table text, p_key text) returns text language sql security definer as $$
    select (lookup.require_row(p_table, p_key)).value
$$;
select t.act_as('op', 'qm_operator');
select is(pg_temp.required('plant', '1'), 'Betula pendula', 'a row');
select throws_ok($$select pg_temp.required('plant', '99')$$, 'QM404', 'the lookup table plant has no row with the id ''99''', 'a row that is not there');
select throws_ok($$select pg_temp.required('plant', '2')$$, 'QM404', 'the lookup table plant has no row with the id ''2''', 'a hidden row');
select throws_ok($$select pg_temp.required('plnt', '1')$$, 'QM404', 'there is no lookup table called ''plnt''', 'a table that is not there');
select t.act_as('alice');
select throws_ok($$select pg_temp.required('plant', '1')$$, 'QM403', null, 'not for a user');

select * from finish();
rollback;
