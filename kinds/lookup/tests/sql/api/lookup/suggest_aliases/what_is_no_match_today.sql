begin;
select plan(10);

select t.make_principal('alice'), t.make_principal('op', 'operator');
select lookup.put_rows(lookup.put_table('animal', '', ''), '[
    {"id": "1", "value": "Alces alces (moose)"}, {"id": "2", "value": "Linnaeus, Carl"}, {"id": "3", "value": "Sjaelland / Zealand"},
    {"id": "4", "value": "Lepus (hare)"}, {"id": "5", "value": "Sylvilagus (hare)"}, {"id": "6", "value": "Cervus elaphus", "active": false},
    {"id": "7", "value": "Magnetic susceptibility"}
]', true);
select t.act_as('alice');
select throws_ok($$select * from api.suggest_aliases('animal')$$, 'QM403', null, 'not for a user');
select t.act_as('op', 'qm_operator');
select throws_ok($$select * from api.suggest_aliases('animal', '[]')$$, 'QM422', null, 'strings without numbers');
select throws_ok($$select * from api.suggest_aliases('animal', '{"x": "often"}')$$, 'QM422', null, 'numbers that are none');
select throws_ok($$select * from api.suggest_aliases('animal', maximum => 0)$$, 'QM422', null, 'none of them');
select throws_ok(
    $$select * from api.suggest_aliases('animal', (select jsonb_object_agg('s' || n, 1) from generate_series(1, 1001) as n))$$, 'QM413', null, 'too many strings'
);
select api.configure_lookup('animal', new_threshold => 0.9999);
create temporary table suggested as select * from api.suggest_aliases('animal', maximum => 100);
select ok(not exists (select from suggested as s where s.alias = 'hare'), 'a form of two rows would be a match of none');
select ok(
    not exists (select from suggested as s cross join lateral api.search_lookup('animal', s.alias) as f where f.match and f.id = s.id), 'what finds its row already is not suggested'
);
select results_eq($$select s.id, s.alias, s.form from suggested as s where s.id = '7'$$, $$values ('7', 'MS', 'initials')$$, 'a form of a value is');
select results_eq(
    $$select s.id, s.alias, s.form, s.times from api.suggest_aliases('animal', '{"ms": 2, "MS": 3, "Alces alces (moose)": 9, "qqqq": 5}') as s$$,
    $$values ('7', 'MS', 'asked', 5)$$, 'of what was asked: what is no match, with how often'
);
select t.act_as_superuser();
select t.make_requests('alice', '{"table": "animal", "query": "mag susc", "offered": [], "match": false}');
select t.act_as('op', 'qm_operator');
select results_eq($$select s.alias, s.form, s.times from api.suggest_aliases('animal', maximum => 1) as s$$, $$values ('mag susc', 'asked', 1)$$, 'what the log has kept comes first');

select * from finish();
rollback;
