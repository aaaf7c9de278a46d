begin;
select plan(8);

select t.make_catalog(), t.make_principal('alice'), t.make_kind('memo'), t.make_card('memo', 1, 'ticket', 'open a ticket'), t.make_card('memo', 2, 'soup', 'soup');
select t.read_as('alice');
create temporary table found as select f.* from api.search_cards('open a ticket', '{memo,tool,memo}') as f;
select set_eq($$select f.kind from found as f$$, $$values ('memo'), ('tool')$$, 'cards of both kinds');
select is((select array_agg(f.rank order by f.rank) from found as f), array(select generate_series(1, (select count(*)::integer from found))), 'in one order');
select is((select count(distinct f.receipt) from found as f), 2::bigint, 'a receipt for each kind');
select results_eq(
    $$select r.kind, jsonb_array_length(r.offered)::bigint from selection.receipt as r order by r.kind$$,
    $$select f.kind, count(*) from found as f group by f.kind order by f.kind$$,
    'each with the cards of its kind'
);
select is_empty(
    $$select from selection.receipt as r cross join jsonb_array_elements(r.offered) as o (offer)
    where not exists (select from found as f where f.receipt = r.id and f.ref = (o.offer ->> 'ref')::bigint and f.rank = (o.offer ->> 'rank')::integer)$$,
    'at its place in the list'
);
select is((select count(*) from api.search_cards('open a ticket', '{memo,tool}', top => 2)), 2::bigint, 'the limit is for all together');
select cmp_ok((select sum((f.scores ->> 'tokens')::numeric) from api.search_cards('open a ticket', '{memo,tool}', budget_tokens => 60) as f), '<=', 60::numeric, 'and so is the budget');
select set_eq($$select distinct c.kind from api.rerank_candidates('open a ticket', 'balanced', '{memo,tool}') as r inner join search.card as c on c.id = r.card_id$$, $$values ('memo'), ('tool')$$, 'a cross-encoder reads both');

select * from finish();
rollback;
