begin;
select plan(9);

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
select results_eq(
    $$select * from api.load_notes(jsonb_build_array(t.note('c', 'Four.')), null, '{c,d}')$$, $$values (1, 0, 0)$$, 'a portion removes nothing'
);
select is(api.notes_digest(), 'second', 'and leaves the digest as it is');
select results_eq(
    $$select * from api.load_notes(jsonb_build_array(t.note('d', 'Five.')), 'third', '{c,d}')$$, $$values (1, 0, 1)$$, 'the last one removes'
);
select results_eq($$select name from api.list_notes('db') order by name$$, array['c', 'd'], 'what none of the portions has');

select * from finish();
rollback;
