begin;
select plan(8);

select t.make_catalog(), t.make_principal('alice'), t.make_kind('memo'), t.make_card('memo', 1, 'ticket', 'ticket');
delete from stats.watermark;
select t.at('2026-01-01 10:10+00');
select t.read_as('alice');
select count(*) from api.select_tools('ticket', top => 1);
select count(*) from api.select_tools('zyzzyva');
select t.act_as_superuser();
select is(selection.count_selections(), 2::bigint, 'both are counted');
select results_eq(
    $$select h.hour, h.mode, h.selections, h.empty, h.offered, h.tokens_full from stats.selection_hour as h$$,
    $$select '2026-01-01 10:00+00'::timestamptz, 'balanced', 2, 1, 1, 2 * sum(c.tokens)::bigint from search.card as c where c.kind = 'tool'$$,
    'the whole list would have been sent each time'
);
select is(
    (select h.tokens_sent from stats.selection_hour as h),
    (select max(c.tokens)::bigint from search.card as c inner join selection.receipt as r on c.kind = 'tool' and r.offered @> jsonb_build_array(jsonb_build_object('ref', c.ref))),
    'what was sent is the one that was offered'
);
select selection.count_selections();
select is((select sum(h.selections) from stats.selection_hour as h), 2::bigint, 'counted again, nothing counts twice');
select is((select sum(d.value::integer) from stats.selection_hour as h cross join jsonb_each_text(h.durations) as d), 2::bigint, 'each has its duration');
select is((select w.counted_to from stats.watermark as w where w.name = 'selections'), '2026-01-01 10:10+00'::timestamptz, 'counted to now');
select t.read_as('alice');
select count(*) from api.search_cards('ticket', '{memo}');
select t.act_as_superuser();
select is(selection.count_selections(), 2::bigint, 'those of a kind without outcomes are not');
update search.kind set outcomes = 'reported' where name = 'memo';
select selection.count_selections();
select results_eq(
    $$select h.selections, h.tokens_sent, h.tokens_full from stats.selection_hour as h where h.kind = 'memo'$$, $$values (1, 2::bigint, 2::bigint)$$,
    'and of one that has, they are'
);

select * from finish();
rollback;
