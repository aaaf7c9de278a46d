begin;
select plan(15);

select t.make_catalog(), t.make_principal('alice'), t.make_principal('bob');
update catalog.item as x set definition = jsonb_set(x.definition, '{annotations}', '{}') where x.public_name = 'time__convert_time';
select t.at('2030-01-01 10:00+00');
create function pg_temp.begun(p_key text, p_arguments text default 'a', p_continues boolean default false) returns table (call_id bigint, answer text, answered_by text)
language sql as $$
    select b.call_id, b.answer, b.answered_by
    from service.call_begin(
        'time__convert_time', 0, 'r', gen_random_uuid(), arguments_hash => sha256(p_arguments::bytea), idempotency_key => p_key, continues => p_continues
    ) as b;
$$;
create function pg_temp.ended(p_call_id bigint, p_outcome text, p_answer text, p_releases boolean default false) returns void language sql as $$
    select service.call_end(
        p_call_id, p_outcome, 5, 1, started_at => core.now(), answer => p_answer, arguments_hash => sha256('a'::bytea), releases_key => p_releases
    );
$$;
select t.read_as('alice');
create temporary table first as select b.* from pg_temp.begun('k') as b;
select is((select f.answer from first as f), null, 'the first is to be made');
select throws_ok($$select * from pg_temp.begun('k')$$, 'QM409', null, 'while it is under way another is refused');
select throws_ok($$select * from pg_temp.begun('k', 'b')$$, 'QM422', null, 'and one with other arguments altogether');
select pg_temp.ended(f.call_id, 'tool_error', '{"isError":true}') from first as f;
create temporary table second as select b.* from pg_temp.begun('k') as b;
select results_eq($$select s.answer, s.answered_by from second as s$$, $$values ('{"isError":true}', 'key')$$, 'afterwards it is answered by what the first was told');
select results_eq(
    $$select c.outcome, c.attempts::integer, c.answered_by from calls.call as c order by c.id$$,
    $$values ('tool_error', 1, 'upstream'), ('tool_error', 0, 'key')$$, 'each has its row, which says that nothing was sent'
);
select throws_ok($$select service.call_end(s.call_id, 'ok', 5) from second as s$$, 'QM404', null, 'and is complete');
select throws_ok($$select * from pg_temp.begun('k', 'b')$$, 'QM422', null, 'other arguments are still refused');
select t.read_as('bob');
select is((select b.answer from pg_temp.begun('k') as b), null, 'another''s key is another key');
select t.read_as('alice');

create temporary table lost as select b.* from pg_temp.begun('lost') as b;
select pg_temp.ended(l.call_id, 'timeout', null) from lost as l;
select throws_ok($$select * from pg_temp.begun('lost')$$, 'QM409', null, 'of a call whose end nobody knows none is made again');
select is((select b.answer from pg_temp.begun('lost', p_continues => true) as b), null, 'but what the tool asked for can go on');
create temporary table unsent as select b.* from pg_temp.begun('unsent') as b;
select pg_temp.ended(u.call_id, 'network', null, true) from unsent as u;
select is((select b.answer from pg_temp.begun('unsent') as b), null, 'what was never sent may be');

select t.act_as_superuser();
update catalog.item as x set definition = jsonb_set(x.definition, '{annotations}', '{"idempotentHint": true}') where x.public_name = 'time__convert_time';
select t.read_as('alice');
create temporary table harmless as select b.* from pg_temp.begun('harmless') as b;
select pg_temp.ended(h.call_id, 'died', null) from harmless as h;
select is((select b.answer from pg_temp.begun('harmless') as b), null, 'and what is harmless');
select t.at('2030-01-02 10:00+00');
select t.read_as('alice');
select t.at('2030-01-02 10:00+00');
select is((select b.answer from pg_temp.begun('k', 'b') as b), null, 'a day later the key is free');
select t.at('2030-01-01 10:00+00');
create temporary table large as select b.* from pg_temp.begun('large') as b;
select t.act_as_superuser();
update core.setting set value = '10' where name = 'answer.largest';
update catalog.item as x set definition = jsonb_set(x.definition, '{annotations}', '{}') where x.public_name = 'time__convert_time';
select t.read_as('alice');
select t.at('2030-01-01 10:00+00');
select pg_temp.ended(l.call_id, 'ok', repeat('x', 11)) from large as l;
select throws_ok($$select * from pg_temp.begun('large')$$, 'QM409', null, 'what was too large to be kept is not made again either');
select is((select count(*) from service.call_begin('time__no_such', 0, 'r', gen_random_uuid(), idempotency_key => 'k') as b where b.call_id is not null), 0::bigint, 'no tool, no key');

select * from finish();
rollback;
