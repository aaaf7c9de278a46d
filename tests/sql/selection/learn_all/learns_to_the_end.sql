begin;
select plan(3);

select t.make_catalog(), t.make_principal('alice');
select t.act_as('alice');
select t.at('2026-01-01 10:00+00');
select count(*) from api.select_tools('ticket');
select t.act_as_superuser();
select t.at('2026-01-01 11:00+00');
select is(selection.learn_all(), '{"tools": 0, "receipts": 1}'::jsonb, 'each receipt once');
select is(selection.learn_all(), '{"tools": 0, "receipts": 0}'::jsonb, 'until nothing is left');
select is_empty($$select * from selection.pool as p where p.expires_at < '2026-01-01 11:00+00'$$, 'what was remembered for too long is gone');

select * from finish();
rollback;
