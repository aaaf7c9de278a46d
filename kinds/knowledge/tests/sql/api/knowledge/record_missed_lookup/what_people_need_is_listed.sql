begin;
select plan(2);
select t.make_principal('alice'), t.make_principal('op', 'operator');
select t.act_as('alice', 'qm_user');
select is_empty($$select * from api.find_libraries('left-pad')$$, 'a library that is not indexed is not found');
select api.record_missed_lookup('Left_Pad', 'pad a text'), api.record_missed_lookup('left-pad', 'pad a text');
select t.act_as('op', 'qm_operator');
select results_eq(
    $$select m.library, m.asked, m.topics from api.list_missed_lookups() as m$$, $$values ('left-pad', 2::bigint, '{pad a text}'::text[])$$,
    'it is kept as a wish, once for each topic'
);
select * from finish();
rollback;
