begin;
select plan(5);

select t.make_lookups(), t.make_principal('alice'), t.make_principal('bob');
select t.make_rules('{"rules": [{"effect": "deny", "subject": "principal:bob", "kinds": ["lookup_table"], "names": ["place"]}]}');
select t.read_as('alice');
select is(lookup.visible_tables(null), array[t.lookup_id('place'), t.lookup_id('plant')], 'all, by their names');
select is(lookup.visible_tables('plant'), array[t.lookup_id('plant')], 'the one that is named');
select t.read_as('bob');
select is(lookup.visible_tables(null), array[t.lookup_id('plant')], 'a hidden table is not there');
select throws_ok($$select lookup.visible_tables('place')$$, 'QM404', null, 'nor by its name');
select t.read_as(null);
select throws_ok($$select lookup.visible_tables(null)$$, 'QM403', null, 'nobody asks without a principal');

select * from finish();
rollback;
