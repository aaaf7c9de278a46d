begin;
select plan(3);

select t.make_principal('alice'), t.make_principal('bob'), t.make_principal('op', 'operator');
select t.at('2026-01-01 12:00 UTC'), t.act_as('alice');
select api.record_missed_lookup('left-pad', 'pad'), api.record_missed_lookup('acme'), api.record_missed_lookup('acme');
select t.at('2026-01-02 12:00 UTC'), t.act_as('bob');
select api.record_missed_lookup('left-pad', 'trim'), api.record_missed_lookup('left-pad', 'pad');
select t.act_as('op', 'qm_operator');
select results_eq(
    $$select * from api.list_missed_lookups()$$,
    $$values ('left-pad', 3::bigint, 2::bigint, '{pad,trim}'::text[], '2026-01-02 12:00 UTC'::timestamptz),
        ('acme', 2, 1, null, '2026-01-01 12:00 UTC')$$, 'with topics, and how many asked'
);
select results_eq($$select m.library from api.list_missed_lookups(1) as m$$, '{left-pad}'::text[], 'as many as are wanted');
select t.act_as('alice');
select throws_ok($$select api.list_missed_lookups()$$, '42501', null, 'users see none of it');

select * from finish();
rollback;
