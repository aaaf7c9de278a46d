begin;
select plan(6);

select t.make_catalog(), t.make_principal('op', 'operator'), t.make_principal('alice');
select t.act_as('op', 'qm_operator');
select api.set_terms('time__get_current_time', '{"is_read_only": true}'), api.set_terms('tracker__create_ticket', '{"is_idempotent": true}');
create function pg_temp.commits(p_tool text, p_key text default null) returns text language plpgsql as $$
begin
    set local synchronous_commit to on;
    perform service.call_begin(p_tool, 2, 'r', gen_random_uuid(), key => gen_random_uuid(), arguments_hash => '\x00', idempotency_key => p_key);
    return current_setting('synchronous_commit');
end
$$;
select t.act_as('alice');
select is(pg_temp.commits('time__convert_time'), 'on', 'nothing is known of it: the row is on the disk before it is called');
select is(pg_temp.commits('no_such'), 'on', 'no call');
select is(pg_temp.commits('time__get_current_time', 'a key'), 'on', 'a key that may be asked for again');
select t.act_as('op', 'qm_operator');
select api.set_terms('time__get_current_time', '{"is_read_only": true, "cache_s": 60}');
select t.act_as('alice');
select is(pg_temp.commits('time__get_current_time'), 'on', 'an answer that is kept');
select is(pg_temp.commits('tracker__create_ticket'), 'off', 'it may be repeated');
select t.act_as('op', 'qm_operator');
select api.set_terms('time__get_current_time', '{"cache_s": null}');
select t.act_as('alice');
select is(pg_temp.commits('time__get_current_time'), 'off', 'it only reads');

select * from finish();
rollback;
