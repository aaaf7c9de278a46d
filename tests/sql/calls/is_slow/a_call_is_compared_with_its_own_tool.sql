begin;
select plan(6);

select t.make_catalog();
insert into calls.pace (item_id, calls, p95_ms)
select x.id, case x.name when 'listTickets' then 19 else 20 end, case x.name when 'create_ticket' then 3000 else 10 end
from catalog.item as x where x.name <> 'get_current_time';
create function pg_temp.slow(p_name text, p_ms real) returns boolean language sql as $$select calls.is_slow(x.id, p_ms) from catalog.item as x where x.name = p_name$$;
select ok(not pg_temp.slow('get_current_time', 60000), 'never one of which nothing is known');
select ok(not pg_temp.slow('listTickets', 60000), 'nor one that was hardly called');
select ok(not pg_temp.slow('convert_time', 2000), 'nor what is below setting breaker.slow_from');
select ok(pg_temp.slow('convert_time', 2001), 'but what is above it');
select ok(not pg_temp.slow('create_ticket', 15000), 'where that is much, up to so many times what is usual');
select ok(pg_temp.slow('create_ticket', 15001), 'and no longer');

select * from finish();
rollback;
