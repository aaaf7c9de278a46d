begin;
select plan(9);

select t.make_lookups(), t.make_principal('alice'), t.make_principal('bob');
select t.make_rules('{"rules": [
    {"effect": "deny", "subject": "principal:alice", "kinds": ["lookup_table"], "names": ["place"]},
    {"effect": "deny", "subject": "principal:alice", "kinds": ["lookup"], "names": ["Betula nana"]}
]}');
select t.read_as('bob');
select is((select count(*) from api.lookup_tables()), 2::bigint, 'who may sees both tables');
select t.read_as('alice');
select results_eq($$select l.name from api.lookup_tables() as l$$, array['plant'], 'a hidden table is not listed');
select throws_ok($$select * from api.search_lookup('place', 'Umea')$$, 'QM404', 'there is no lookup table called ''place''', 'nor found');
select throws_ok($$select * from api.lookup_rows('place')$$, 'QM404', null, 'nor read');
select throws_ok($$select * from api.get_by_id('place', '1')$$, 'QM404', null, 'nor described');
select is_empty($$select * from lookup.lookup_row as r where r.value = 'Umeå'$$, 'nor selected from');
select is_empty($$select * from api.search_lookup('plant', 'Betula nana', threshold => 0) as s where s.id = '2'$$, 'a hidden row is not found');
select throws_ok($$select * from api.get_by_id('plant', '2')$$, 'QM404', null, 'nor described');
select is((select s.rank from api.search_lookup('plant', 'Betula nana', threshold => 0) as s limit 1), 1, 'and leaves no gap');

select * from finish();
rollback;
