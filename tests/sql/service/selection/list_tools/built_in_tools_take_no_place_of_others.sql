begin;
select plan(3);

select t.make_catalog(), t.make_principal('alice');
create function pg_temp.listed(p_maximum integer) returns text[] language sql as $$
    select array_agg(l.name order by l.name) from service.list_tools(p_maximum) as l;
$$;
update catalog.origin as o
set transport = 'built-in'
where o.name = (select x.name from catalog.origin as x inner join catalog.item as i on i.origin_id = x.id
    where i.public_name = 'time__convert_time');
select t.act_as('alice');
select ok('time__convert_time' <> all(pg_temp.listed(1000)), 'a built-in tool that nobody called is not listed');
select is(
    (select count(*) from service.list_tools(1000)), (select min(l.visible) from service.list_tools(1) as l),
    'nor is it counted among those that are left out'
);
select t.act_as_superuser();
insert into selection.utility (kind, ref, calls, successes, success_rate, p95_ms, success_gain, latency_loss, refreshed_at)
select 'tool', i.id, 9, 9, 1, 1, 0, 0, now() from catalog.item as i where i.public_name = 'time__convert_time';
select t.act_as('alice');
select is(pg_temp.listed(1), '{time__convert_time}', 'one that is called is listed before others');

select * from finish();
rollback;
