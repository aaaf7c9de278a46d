begin;
select plan(4);

select t.make_project('shop', 'alice'), t.make_principal('bob');
select knowledge.put_notes(null, jsonb_build_array(t.note('a', 'One.'), t.note('b', 'Two.', 'security')));
select t.at('2026-01-02 12:00 UTC'), t.act_as('alice');
select api.put_notes(jsonb_build_array(t.note('z', 'Three.', p_problem => 'It gives orders.')));
select results_eq(
    $$select n.name, n.domain, n.title, n.project, n.owner, n.verified, n.reviewed, n.stale, n.passages, n.problem from api.list_notes() as n$$,
    $$values ('z', 'databases', 'Z', 'shop', 'alice', true, '2026-01-01'::date, false, 0::bigint, 'It gives orders.'),
        ('a', 'databases', 'A', null, null, true, '2026-01-01', false, 1, null), ('b', 'security', 'B', null, null, true, '2026-01-01', false, 1, null)$$,
    'also what is in quarantine'
);
select results_eq($$select n.name from api.list_notes('Security') as n$$, '{b}'::text[], 'of one domain');
select throws_ok($$select api.list_notes('cooking')$$, 'QM404', null, 'an unknown domain');
select t.act_as('bob');
select results_eq($$select n.name from api.list_notes() as n$$, '{a,b}'::text[], 'notes of projects are for their members');

select * from finish();
rollback;
