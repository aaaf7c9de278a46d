begin;
select plan(6);

select t.make_project('shop', 'alice'), t.make_principal('bob');
select t.make_library('shop', 'acme'), t.make_library('shop', 'acme_post');
update knowledge.distribution as d set modules = '{parcel}' where d.name = 'acme-post';
create function pg_temp.found(p_library text, p_folder text default null) returns text language sql as $$
    select string_agg(d.name || ' ' || round(d.fit::numeric, 2), ', ' order by d.place)
    from knowledge.find_distributions(p_library, p_folder) with ordinality as d (id, name, version, fit, place)
$$;
select t.read_as('alice');
select is(pg_temp.found('Acme_Post'), 'acme-post 3.00, acme 0.50', 'a name, and a similar one');
select is(pg_temp.found('acme.send'), 'acme 2.50', 'the path of an object');
select is(pg_temp.found('Parcel'), 'acme-post 2.00', 'a module');
select is(pg_temp.found('left-pad'), null, 'a name that nothing has');
select is(pg_temp.found('acme', '/srv/other'), null, 'a folder that was not read');
select t.read_as('bob');
select is(pg_temp.found('acme'), null, 'the packages of others');

select * from finish();
rollback;
