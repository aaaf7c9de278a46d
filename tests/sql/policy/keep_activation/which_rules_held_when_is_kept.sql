begin;
select plan(5);

select t.make_principal('boss', 'admin'), t.make_principal('op', 'operator');
select t.at('2099-11-10 00:00+00');
select t.act_as('boss', 'qm_admin');
select api.apply_rules('{"default": "deny"}', 'second');
select t.at('2099-11-12 00:00+00');
select lives_ok($$select api.activate_rules(null)$$, 'back to the first');
select t.act_as('op', 'qm_operator');
select is(api.show_rules(as_of => '2099-11-11 00:00+00') ->> 'note', 'second', 'held in between');
select is(api.show_rules(as_of => '2099-11-12 00:00+00') ->> 'note', 'as installed', 'holds again, from that moment on');
select is(api.show_rules() ->> 'note', 'as installed', 'holds now');
select throws_ok($$select api.show_rules(as_of => '1999-01-01 00:00+00')$$, 'QM404', null, 'before there were any');

select * from finish();
rollback;
