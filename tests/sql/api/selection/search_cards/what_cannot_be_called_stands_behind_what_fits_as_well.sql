begin;
select plan(5);

select t.make_origin('one'), t.make_origin('two'), t.make_principal('alice');
select t.make_tool('one', 'read_page', 'Read a page of the manual.'), t.make_tool('two', 'get_page', 'Read a page of the manual.');
select t.make_tool('two', 'paint_wall', 'Paint a wall of the manual.');
create function pg_temp.found() returns table (name text, reason text) language sql as $$
    select f.name, f.unavailable ->> 'reason' from api.search_cards('read a page of the manual', mode => 'fast') as f order by f.rank;
$$;
select t.read_as('alice');
create temporary table given as select f.name from pg_temp.found() as f limit 1;
grant select on given to public;
select matches((select g.name from given as g), 'page$', 'one of the two that fit');
select t.act_as_superuser();
update catalog.origin as o set transport = 'none', command = '{}' from given as g where g.name like o.slug || '\_\_%';
select t.read_as('alice');
select isnt((select f.name from pg_temp.found() as f limit 1), (select g.name from given as g), 'the other, which can be called');
select is((select f.reason from pg_temp.found() as f inner join given as g on g.name = f.name), 'the server is in the catalog, but not connected', 'it is marked');
select is(
    (select r.offered @> '[{"unavailable": {"reason": "the server is in the catalog, but not connected"}}]' from selection.receipt as r order by r.id desc limit 1), true,
    'the receipt records it'
);
select t.act_as_superuser();
update catalog.origin as o set transport = 'none', command = '{}';
select t.read_as('alice');
select is((select f.name from pg_temp.found() as f limit 1), (select g.name from given as g), 'where none can be called, the order is as before');

select * from finish();
rollback;
