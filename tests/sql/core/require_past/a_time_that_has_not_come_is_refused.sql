begin;
select plan(9);

select t.at('2026-11-17 12:00+00');
select is(core.require_past('2026-11-16 12:00+00'), '2026-11-16 12:00+00'::timestamptz, 'a time in the past');
select is(core.require_past(null), null, 'no time');
select is(core.require_past('2026-11-17 12:01+00'), '2026-11-17 12:01+00'::timestamptz, 'one that a fast clock took for now');
select throws_ok($$select core.require_past('2026-11-17 12:02+00')$$, 'QM422', null, 'a time in the future');

-- Every operation that shows the state at a time.
select t.make_catalog(), t.make_principal('boss', 'admin'), t.act_as('boss', 'qm_admin');
select throws_ok($$select * from api.list_origins('2027-01-01')$$, 'QM422', null, 'origins');
select throws_ok($$select * from api.review_items(as_of => '2027-01-01')$$, 'QM422', null, 'items');
select throws_ok($$select * from api.describe_tool('time__get_current_time', '2027-01-01')$$, 'QM422', null, 'a tool');
select throws_ok($$select * from api.search_past('time', '2027-01-01')$$, 'QM422', null, 'a search');
select throws_ok($$select api.show_rules(as_of => '2027-01-01')$$, 'QM422', null, 'rules');

select * from finish();
rollback;
