begin;
select plan(2);

select t.make_catalog(), t.make_principal('alice');
select t.act_as('alice');
select count(*) from api.search_tools('time', session => 's');
select isnt_empty($$select * from api.list_exposed('s')$$, 'they are there');
select t.act_as_superuser();
select t.at('2027-01-01 00:00+00'), catalog.deprecate_items(catalog.origin_id('time'), '{tool}', '2027-01-01 00:00+00');
select t.act_as('alice');
select is_empty($$select * from api.list_exposed('s') as e where e.name like 'time%'$$, 'those of the origin are gone');

select * from finish();
rollback;
