begin;
select plan(3);
select t.make_project('shop', 'alice');
select t.act_as('alice', 'qm_user');
select throws_ok(
    $$select api.put_notes(jsonb_build_array(t.note('a', 'One.'), t.note('b', 'Two.'), t.note('a', 'Three.')), 'shop')$$, 'QM422',
    'the note ''a'' is given twice', 'it is told which'
);
select throws_ok(
    $$select api.put_notes(jsonb_build_array(t.note('a', 'One.') - 'name', t.note('a', 'Two.') - 'name'), 'shop')$$, 'QM422',
    'the note ''?'' cannot be stored', 'without names, no name is given twice'
);
select is((select count(*) from api.list_notes()), 0::bigint, 'none of them is stored');
select * from finish();
rollback;
