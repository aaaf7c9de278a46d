begin;
select plan(6);

select t.make_catalog(), t.make_principal('alice'), t.make_principal('boss', 'admin');
select t.read_as('boss', 'qm_admin');
select t.at('2027-01-01'), api.apply_rules('{"rules": [{"effect": "deny", "subject": "role:user", "origins": "time"}]}', 'one');
select t.at('2027-01-02'), api.apply_rules('{"rules": [{"effect": "deny", "subject": "role:user"}]}', 'two');
select t.at('2027-01-03'), api.activate_rules();
select is((select r.note from api.list_rules() as r where r.is_active), 'one', 'the one before');
select throws_ok($$select api.activate_rules(999)$$, 'QM404', null, 'none of that number');
select is(api.activate_rules((select r.version from api.list_rules() as r where r.note = 'two'), true) #>> '{changes,0,lost}', '2', 'one by its number');
select throws_ok($$select api.activate_rules()$$, 'QM409', null, 'what is pinned stays');
select api.pin_rules(false);
select lives_ok($$select api.activate_rules()$$, 'until it is unpinned');
select t.read_as('alice');
select is((select count(*) from catalog.item), 2::bigint, 'what is seen is as it was');

select * from finish();
rollback;
