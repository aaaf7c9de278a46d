begin;
select plan(3);

select t.make_principal('alice');
select lookup.put_rows(lookup.put_table('herb', null, null), '[
    {"id": "1", "value": "Rumex maritimus", "aliases": ["strandskräppa"]},
    {"id": "2", "value": "Rumex crispus", "aliases": ["krusskräppa"]},
    {"id": "3", "value": "Rumex sylvestris", "aliases": ["skogsskräppa"]},
    {"id": "4", "value": "Rumex aquaticus", "aliases": ["vattenskräppa"]},
    {"id": "5", "value": "Viola rupestris", "aliases": ["sandviol"]}
]', true);
select t.act_as('alice');
select ok((select max(s.score) < 0.8 from api.search_lookup('herb', 'eldskräppa', threshold => 0) as s), 'that four are as near speaks against each');
select is_empty($$select * from api.search_lookup('herb', 'eldskräppa', threshold => 0) as s where s.match$$, 'so none is a match');
select results_eq($$select s.id, s.match from api.search_lookup('herb', 'krusskrapa', k_final => 1) as s$$, $$values ('2', true)$$, 'one of them mistyped is');

select * from finish();
rollback;
