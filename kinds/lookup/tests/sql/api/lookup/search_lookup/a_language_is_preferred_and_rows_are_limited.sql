begin;
select plan(8);

select t.make_principal('alice');
select lookup.put_rows(lookup.put_table('animal', null, null), '[
    {"id": "en", "value": "Elk", "language": "en"},
    {"id": "sv", "value": "Elk", "language": "sv"},
    {"id": "none", "value": "Elk"},
    {"id": "gone", "value": "Elk", "language": "sv", "active": false},
    {"id": "other", "value": "Elkhound", "language": "sv"}
]', true);
select t.act_as('alice');
select is((select s.id from api.search_lookup('animal', 'elk', in_language => 'sv', threshold => 0) as s where s.rank = 1), 'sv', 'of equal names that of the language');
select is((select s.id from api.search_lookup('animal', 'elk', in_language => 'en', threshold => 0) as s where s.rank = 1), 'en', 'whichever it is');
select set_eq($$select s.id from api.search_lookup('animal', 'elk', in_language => 'sv', threshold => 0) as s where s.name = 'Elk'$$, array['en', 'sv', 'none'], 'the others are there');
select is((select count(*) from api.search_lookup('animal', 'elk', k_final => 2, threshold => 0)), 2::bigint, 'no more rows than asked for');
select is((select count(*) from api.search_lookup('animal', 'elk', k_final => 1, k_fuzzy => 1, threshold => 0)), 1::bigint, 'one of one candidate');
select set_eq(
    $$select x.id from jsonb_to_recordset((select s.rows from api.search_lookups('animal', '[{"query": "elk", "limit": 1, "language": "en", "threshold": 0}]') as s)) as x (id text)$$,
    array['en'], 'nor in a batch'
);
select is_empty($$select * from api.search_lookup('animal', 'elk', threshold => 0) as s where s.id = 'gone' or not s.active$$, 'nothing retired');
select is((select s.active from api.search_lookup('animal', 'elk', active_only => false, threshold => 0) as s where s.id = 'gone'), false, 'unless asked for, and then it is told');

select * from finish();
rollback;
