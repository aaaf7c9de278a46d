begin;
select plan(5);

select t.make_principal('op', 'operator'), t.make_principal('alice');
select t.act_as('alice', 'qm_user');
select throws_ok($$select api.load_notes('[]', 'x')$$, '42501', null, 'users load no notes for everybody');
select t.act_as('op', 'qm_operator');
select results_eq(
    $$select * from api.load_notes(jsonb_build_array(t.note('a', 'One.'), t.note('b', 'Two.')), 'first')$$, $$values (2, 0, 0)$$, 'both are new'
);
select results_eq(
    $$select * from api.load_notes(jsonb_build_array(t.note('b', 'Three.')), 'second')$$, $$values (0, 1, 1)$$, 'one changed, one is gone'
);
select is(api.notes_digest(), 'second', 'the digest is kept');
select results_eq($$select name from api.list_notes('db')$$, array['b'], 'the list shows what is there');

select * from finish();
rollback;
