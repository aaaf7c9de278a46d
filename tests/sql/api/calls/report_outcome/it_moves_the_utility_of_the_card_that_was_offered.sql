begin;
select plan(16);

select t.make_catalog(), t.make_principal('alice'), t.make_principal('bob');
select t.make_rules('{"rules": [{"effect": "deny", "subject": "principal:bob", "names": "memo two"}]}');
select search.put_kind('memo', 'made for a test', p_outcomes => 'reported');
select t.make_card('memo', 1, 'memo one', 'ticket one'), t.make_card('memo', 2, 'memo two', 'ticket two'), t.make_card('memo', 3, 'other', 'soup');
delete from stats.watermark;
select t.act_as('bob');
select t.at('2026-01-01 10:00+00');
create temporary table of_bob as select f.receipt, f.name from api.search_cards('ticket', '{memo}') as f;
select throws_ok($$select api.report_outcome((select min(b.receipt) from of_bob as b), 'memo', 'memo two')$$, 'QM404', 'there is no memo called ''memo two''', 'a hidden card');
select t.act_as('alice');
create temporary table found as select f.receipt, f.name from api.search_cards('ticket', '{memo}') as f;
grant select on found, of_bob to public;
create function pg_temp.report(p_name text, p_outcome text default 'ok', p_ms real default 40) returns void language sql as $$
    select api.report_outcome((select min(f.receipt) from found as f), 'memo', p_name, p_outcome, p_ms);
$$;
select set_eq('select f.name from found as f', $$values ('memo one'), ('memo two')$$, 'two are offered');
select throws_ok($$select pg_temp.report('other')$$, 'QM404', null, 'one that was not offered');
select throws_ok($$select pg_temp.report('no memo')$$, 'QM404', 'there is no memo called ''no memo''', 'one that is not there');
select throws_ok($$select api.report_outcome((select min(b.receipt) from of_bob as b), 'memo', 'memo one')$$, 'QM404', null, 'somebody else''s receipt');
select throws_ok($$select api.report_outcome(null, 'memo', 'memo one')$$, 'QM404', null, 'no receipt');
select throws_ok($$select pg_temp.report('memo one', 'great')$$, 'QM422', null, 'an unknown outcome');
select throws_ok($$select pg_temp.report('memo one', null)$$, 'QM422', null, 'none');
select throws_ok($$select pg_temp.report('memo one', 'ok', -1)$$, 'QM422', null, 'a negative duration');
select throws_ok($$select api.report_outcome(1, 'tool', 'time__convert_time')$$, 'QM422', null, 'calls of tools are seen by themselves');
select throws_ok($$select api.report_outcome(1, 'no_kind', 'memo one')$$, 'QM404', null, 'an unknown kind');
select pg_temp.report('memo one', 'failed'), pg_temp.report('memo one'), pg_temp.report('memo two', 'failed');
select t.act_as_superuser();
select results_eq(
    $$select c.kind, c.ref, c.method, c.outcome, c.duration_ms from calls.call as c order by c.ref$$,
    $$values ('memo', 1::bigint, 'outcome', 'ok', 40::real), ('memo', 2, 'outcome', 'failed', 40)$$,
    'one row a card in the call log: the last report counts'
);
select is_empty($$select * from api.call_gaps()$$, 'which is complete');
select t.at('2026-01-01 12:00+00');
select selection.learn_all();
select results_eq($$select u.ref, u.success_gain > 0 from selection.utility as u where u.kind = 'memo' order by u.ref$$, $$values (1::bigint, true), (2, false)$$, 'it moves the utility');
select results_eq($$select o.ref, o.successes from selection.outcome as o order by o.ref$$, $$values (1::bigint, 1), (2, 0)$$, 'it is joined to the receipt');
select results_eq($$select h.kind, h.outcome, h.calls from stats.call_hour as h order by h.outcome$$, $$values ('memo', 'failed', 1), ('memo', 'ok', 1)$$, 'and counted');

select * from finish();
rollback;
