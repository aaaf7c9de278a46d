begin;
select plan(4);

select t.make_lookups(), t.make_principal('alice');
select t.act_as('alice');
select throws_ok($$select * from api.get_by_ids('nowhere', '{1}')$$, 'QM404', null, 'an unknown table');
select throws_ok($$select * from api.get_by_ids('plant', array_fill('1'::text, array[1001]))$$, 'QM422', null, 'too many');
select results_eq($$select g.id, g.value from api.get_by_ids('plant', '{3,99,1}') as g$$, $$values ('3', 'Bromus pendula'), ('1', 'Betula pendula')$$, 'what is there, in the order asked');
select is_empty($$select * from api.get_by_ids('plant', '{}')$$, 'of none none');

select * from finish();
rollback;
