begin;
select plan(8);

select t.make_catalog(), t.make_principal('alice'), t.make_principal('bob');
update catalog.item as x set definition = jsonb_set(x.definition, '{annotations}', '{}') where x.public_name = 'time__convert_time';
select t.at('2030-01-01 10:00+00');
select t.make_principal('op', 'operator');
select t.read_as('op', 'qm_operator');
select api.set_terms('time__convert_time', '{"key_argument": "token"}');
select t.act_as_superuser();
create function pg_temp.begun() returns bigint language sql as $$
    select b.call_id from service.call_begin('time__convert_time', 0, 'r', gen_random_uuid(), arguments_hash => sha256('a')) as b;
$$;
create function pg_temp.claimed(p_call_id bigint, p_arguments bytea default 'a') returns table (answer text, answered_by text) language sql as $$
    select c.answer, c.answered_by from service.claim_answer(p_call_id, core.now(), sha256(p_arguments), 'k') as c;
$$;
select t.read_as('alice');
create temporary table calls as select array[pg_temp.begun(), pg_temp.begun(), pg_temp.begun(), pg_temp.begun()] as ids;
grant select on calls to public;

select results_eq($$select k.* from calls as c cross join lateral pg_temp.claimed(c.ids[1]) as k$$, $$values (null::text, null::text)$$, 'the first is to be made');
select throws_ok($$select k.* from calls as c cross join lateral pg_temp.claimed(c.ids[2]) as k$$, 'QM409', null, 'while it is under way another is refused');
select service.call_end(c.ids[1], 'timeout', 5, started_at => core.now()) from calls as c;
select results_eq($$select k.* from calls as c cross join lateral pg_temp.claimed(c.ids[2]) as k$$, $$values (null::text, null::text)$$, 'its end unknown, it is made again: the upstream knows the key');
select service.call_end(c.ids[2], 'ok', 5, 2, started_at => core.now(), answer => '{}', arguments_hash => sha256('a')) from calls as c;
select throws_ok($$select k.* from calls as c cross join lateral pg_temp.claimed(c.ids[3], 'b') as k$$, 'QM422', null, 'other arguments are refused');
select results_eq($$select k.* from calls as c cross join lateral pg_temp.claimed(c.ids[3]) as k$$, $$values ('{}', 'key')$$, 'the same get the answer');
select results_eq(
    $$select x.outcome, x.attempts::integer, x.answered_by from calls as c inner join calls.call as x on x.id = c.ids[3]$$,
    $$values ('ok', 0, 'key')$$, 'and the row is complete'
);
select throws_ok($$select k.* from calls as c cross join lateral pg_temp.claimed(c.ids[3]) as k$$, 'QM404', null, 'once');
select t.read_as('bob');
select throws_ok($$select k.* from calls as c cross join lateral pg_temp.claimed(c.ids[4]) as k$$, 'QM404', null, 'another''s call is not there');

select * from finish();
rollback;
