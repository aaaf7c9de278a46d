begin;
select plan(2);

select t.make_principal('alice');
select t.read_as('alice');
select is_empty($$select * from api.search_tools('anything')$$, 'no tool');
select results_eq($$select r.goal, r.offered from selection.receipt as r where r.id = api.last_receipt()$$, $$values ('anything', '[]'::jsonb)$$, 'but a receipt');

select * from finish();
rollback;
