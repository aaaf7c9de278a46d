begin;
select plan(4);

select t.make_project('shop', 'alice');
select t.at('2026-06-01 12:00 UTC'), t.act_as('alice', 'qm_user');
select api.put_notes(jsonb_build_array(t.note('house-rule', 'Our vacuum runs at noon on the ledger replica.')));
select is(
    (select a.passages -> 0 ->> 'stale' from api.ask_expert('vacuum on the ledger replica at noon') as a), 'false', 'a note that was reviewed this year is fresh'
);
select t.at('2028-06-01 12:00 UTC');
select is(
    (select a.passages -> 0 ->> 'stale' from api.ask_expert('vacuum on the ledger replica at noon') as a), 'true', 'two years later its passages are marked'
);
select is((select (a.parts ->> 'fresh')::numeric from api.ask_expert('vacuum on the ledger replica at noon') as a), 0.00, 'the confidence names it');
select is((select l.stale from api.list_experts() as l where l.domain = 'databases'), 1::bigint, 'the list of experts counts it');

select * from finish();
rollback;
