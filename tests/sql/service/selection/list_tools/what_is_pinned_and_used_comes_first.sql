begin;
select plan(8);

select t.make_catalog(), t.make_principal('alice');
create function pg_temp.used(p_name text, p_calls integer, p_gain real default 0) returns void language sql as $$
    insert into selection.utility (kind, ref, calls, successes, success_rate, p95_ms, success_gain, latency_loss, refreshed_at)
    select 'tool', i.id, p_calls, p_calls, 1, 1, p_gain, 0, now() from catalog.item as i where i.public_name = p_name
    on conflict (kind, ref) do update set calls = excluded.calls, success_gain = excluded.success_gain;
$$;
create function pg_temp.listed(p_maximum integer) returns text[] language sql as $$
    select array_agg(l.name order by l.name) from service.list_tools(p_maximum) as l;
$$;
select t.act_as('alice');
select is(pg_temp.listed(1), '{time__convert_time}', 'without use, names decide');
select t.act_as_superuser();
select pg_temp.used('tracker__listTickets', 9), pg_temp.used('tracker__create_ticket', 100);
select t.act_as('alice');
select is(pg_temp.listed(1), '{tracker__create_ticket}', 'then the one that is called most');
select is(pg_temp.listed(2), '{tracker__create_ticket,tracker__listTickets}', 'the list is sorted by name');
select t.act_as_superuser();
select pg_temp.used('tracker__listTickets', 127), pg_temp.used('tracker__create_ticket', 100, 0.5);
select t.act_as('alice');
select is(pg_temp.listed(1), '{tracker__create_ticket}', 'a little more use changes nothing; what works better comes first');
select t.act_as_superuser();
select api.put_toolset('clock', '{"tools": "time__get_current_time"}');
select t.act_as('alice');
select is(pg_temp.listed(1), '{time__get_current_time}', 'first of all, what a toolset pins');
select t.act_as_superuser();
select catalog.put_repair(i.origin_id, i.name, '{"pinned": true}', false, '', false) from catalog.item as i where i.name = 'listTickets';
select is((select max(v.version) from catalog.item_version as v inner join catalog.item as i on i.id = v.item_id where i.name = 'listTickets'), 1, 'a pin makes no new version');
select t.act_as('alice');
select is(pg_temp.listed(2), '{time__get_current_time,tracker__listTickets}', 'and what a repair pins');
select t.act_as_superuser();
update core.setting as s set value = '3' where s.name = 'list.max_tools';
select t.act_as('alice');
select is((select count(*) from service.list_tools()), 3::bigint, 'the setting limits the list');

select * from finish();
rollback;
