begin;
select plan(7);

select t.make_catalog(), t.make_principal('alice');
create temporary table origin as select o.id, x.id as item_id from catalog.origin as o inner join catalog.item as x on x.origin_id = o.id where x.name = 'convert_time';
create function pg_temp.tried(p_outcome text, p_ms real default 10) returns text language plpgsql as $$
begin
    update calls.breaker set state = 'half_open', probe_call_id = 7, probe_until = 'infinity', trips = 1;
    perform calls.judge_call(7, o.id, o.item_id, p_outcome, p_ms, 1) from origin as o;
    return (select b.state from calls.breaker as b);
end
$$;
select t.at('2026-01-01 00:00+00');
select calls.open_breaker(o.id, 'it failed') from origin as o;
select is(pg_temp.tried('died'), 'open', 'open anew if it failed');
select is((select b.because from calls.breaker as b), 'a test call failed (died)', 'what was seen');
select is(pg_temp.tried('invalid_arguments'), 'open', 'open if it tells nothing');
select is((select b.open_until from calls.breaker as b), core.now(), 'and the next call may try');
insert into calls.pace (item_id, calls, p95_ms) select o.item_id, 100, 100 from origin as o;
select is(pg_temp.tried('ok', 30000), 'open', 'open anew if it was slow');
select is(pg_temp.tried('tool_error'), 'closed', 'closed if it answered');
select calls.judge_call(8, o.id, o.item_id, 'ok', 10, 1) from origin as o;
select is((select b.state from calls.breaker as b), 'closed', 'another call changes nothing');

select * from finish();
rollback;
