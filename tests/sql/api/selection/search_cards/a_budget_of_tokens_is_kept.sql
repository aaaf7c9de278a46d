begin;
select plan(9);

select t.make_catalog(), t.make_principal('alice');
select t.read_as('alice');
select throws_ok($$select * from api.select_tools('ticket', budget_tokens => 0)$$, 'QM422', null, 'no token');
select throws_ok($$select * from api.search_tools('ticket', budget_tokens => -5)$$, 'QM422', null, 'less than none');
select is((select count(*) from selection.receipt as r), 0::bigint, 'nothing was selected');
create temporary table whole as select f.* from api.select_tools('open a ticket, convert a time', explain => true) as f where f.rank is not null;
select ok((select min((f.scores ->> 'tokens')::real) > 0 from whole as f), 'each tool has its size');
select ok(
    (select sum((f.scores ->> 'tokens')::real) from api.select_tools('open a ticket, convert a time', budget_tokens => b.budget, explain => true) as f where f.rank is not null) <= b.budget, format('within %s', b.budget)
)
from (values (30), (60)) as b (budget);
select results_eq(
    $$select f.name from api.select_tools('open a ticket, convert a time', budget_tokens => 100000) as f$$, $$select w.name from whole as w order by w.rank$$, 'a large one changes nothing'
);
select is_empty($$select * from api.select_tools('open a ticket, convert a time', budget_tokens => 1)$$, 'one that nothing fits in shows nothing');
select results_eq(
    $$select r.offered, r.withheld ? 'over_budget' from selection.receipt as r where r.id = api.last_receipt('open a ticket, convert a time')$$, $$values ('[]'::jsonb, true)$$, 'with a receipt that says why'
);

select * from finish();
rollback;
