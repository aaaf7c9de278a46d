begin;
select plan(4);

select t.make_catalog(), t.make_principal('alice'), t.make_principal('bob');
select t.read_as('alice');
create temporary table receipts as select distinct f.receipt from api.select_tools('time') as f;
grant select on receipts to public;
select isnt_empty($$select b.* from receipts as r cross join lateral service.call_begin('time__convert_time', 0, 'a', gen_random_uuid(), r.receipt) as b$$, 'with the own receipt');
select is((select c.receipt_id from calls.call as c), (select r.receipt from receipts as r), 'it is kept');
select t.read_as('bob');
select isnt_empty($$select b.* from receipts as r cross join lateral service.call_begin('time__convert_time', 0, 'b', gen_random_uuid(), r.receipt) as b$$, 'with somebody else''s');
select is((select c.receipt_id from calls.call as c), null::bigint, 'it is left out');

select * from finish();
rollback;
