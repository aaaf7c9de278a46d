begin;
select plan(3);

select t.make_lookups(), t.make_principal('alice');
select t.make_requests('alice', '{"at": "2026-01-01T00:00:00Z"}', '{"at": "2026-05-31T00:00:00Z"}');
select t.at('2026-06-01 12:00+00');
update core.setting set value = '"0"' where name = 'lookup.keep';
select is(selection.forget() ->> 'receipts', '0', 'nothing goes where all is kept');
update core.setting set value = '"30 days"' where name = 'lookup.keep';
select is(selection.forget() ->> 'receipts', '1', 'an old one goes: there is nothing to learn from it');
select is((select count(*) from selection.receipt), 1::bigint, 'a new one stays');

select * from finish();
rollback;
