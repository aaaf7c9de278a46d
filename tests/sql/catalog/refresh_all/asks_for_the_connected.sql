begin;
select plan(3);

select t.make_origin('near'), t.make_origin('listed', 'none');
select is(catalog.refresh_all(), '{"origins": 1}'::jsonb, 'origins that can be connected');
select is(catalog.refresh_all(), '{"origins": 1}'::jsonb, 'asked again');
select results_eq($$select o.name from catalog.refresh as r inner join catalog.origin as o on o.id = r.origin_id$$, array['near'], 'an open request is not doubled');

select * from finish();
rollback;
