begin;
select plan(4);

select t.make_lookups(), t.make_principal('alice');
select t.make_rules('{"rules": [{"effect": "deny", "subject": "everyone", "kinds": "lookup_table", "names": "place"}]}');
select t.act_as(null);
select throws_ok($$select * from api.lookups$$, 'QM403', null, 'nobody reads none');
select t.act_as('alice');
select is_empty($$select l.name from api.lookups as l where l.name = 'place'$$, 'what a rule hides is not there');
select isnt_empty($$select l.name from api.lookups as l where l.name = 'plant'$$, 'what is allowed is');
select set_eq($$select l.name, l.rows, l.status from api.lookups as l$$, $$select x.name, x.rows, x.status from api.lookup_tables() as x$$, 'the same rows');

select * from finish();
rollback;
