begin;
select plan(6);

select t.make_catalog(), t.make_principal('alice');
select t.read_as('alice');
create temporary table found as select f.* from api.select_tools('open a ticket, convert a time', top => 2, explain => true) as f;
select results_eq($$select f.rank from found as f$$, array[1, 2, null, null], 'what is shown, then what is not');
select is_empty($$select * from found as f where f.rank is null and f.scores ->> 'withheld' not in ('below_cut', 'redundant', 'over_budget')$$, 'by a rule');
select is_empty($$select * from found as f where not f.scores ?& '{lexical,dense,fuzzy,sources,fused,blended,value,tokens,risk,tied}'$$, 'with every stage''s score');
select results_eq($$select jsonb_array_length(r.offered), (select sum(w.value::integer) from jsonb_each_text(r.withheld) as w) from selection.receipt as r$$, $$values (2, 2::bigint)$$, 'the receipt counts');
select is_empty($$select * from selection.receipt as r cross join unnest('{pool_ms,value_ms,choose_ms,report_ms,cached}'::text[]) as s (stage) where not r.stages ? s.stage$$, 'and has the time of each stage');
select results_eq(
    $$select f.name from api.select_tools('open a ticket, convert a time', top => 2) as f$$, $$select f.name from found as f where f.rank is not null order by f.rank$$, 'what is shown is the same unexplained'
);

select * from finish();
rollback;
