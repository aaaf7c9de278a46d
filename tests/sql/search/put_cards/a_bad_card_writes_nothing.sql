begin;
select plan(7);

select t.make_kind('strict');
select throws_ok($$select search.put_cards('strict', '[{"ref": 1, "name": "ok", "fields": ["x"]}, {"ref": 2, "name": ""}]')$$, 'QM422', null, 'no name');
select throws_ok($$select search.put_cards('strict', '[{"name": "x", "fields": []}]')$$, 'QM422', null, 'no ref');
select throws_ok($$select search.put_cards('strict', '[{"ref": 1, "name": "x", "fields": "y"}]')$$, 'QM422', null, 'fields are no array');
select throws_ok($$select search.put_cards('strict', '{}')$$, 'QM422', null, 'no array');
select throws_ok($$select search.put_cards('strict', null)$$, 'QM422', null, 'null');
select throws_ok($$select search.put_cards('nowhere', '[{"ref": 1, "name": "x", "fields": []}]')$$, 'QM404', null, 'no such kind');
select is((select count(*) from search.card as c where c.kind = 'strict'), 0::bigint, 'no card was written');

select * from finish();
rollback;
