begin;
select plan(10);

select t.make_catalog(), t.make_principal('alice'), t.make_principal('bob'), t.make_principal('op', 'operator');
update catalog.item as x set definition = jsonb_set(x.definition, '{annotations}', '{"readOnlyHint": true}') where x.public_name = 'time__convert_time';
create function pg_temp.asked(p_arguments text default 'a', p_as_is boolean default false) returns text language plpgsql as $$
declare
    v_call record;
begin
    select b.* into v_call
    from service.call_begin('time__convert_time', 0, 'r', gen_random_uuid(), arguments_hash => sha256(p_arguments::bytea), as_is => p_as_is) as b;
    if v_call.answer is null then
        perform service.call_end(v_call.call_id, 'ok', 5, 1, started_at => core.now(), answer => '{}', arguments_hash => sha256(p_arguments::bytea));
    end if;
    return v_call.answered_by;
end
$$;
select t.at('2030-01-01 10:00+00');
select t.read_as('alice');
select is((select pg_temp.asked() from (select pg_temp.asked()) as f), null, 'without a word of an operator nothing is answered again');
select t.read_as('op', 'qm_operator');
select api.set_terms('time__convert_time', '{"cache_s": 60}');
select t.read_as('alice');
select is(pg_temp.asked(), null, 'the first time the upstream is asked');
select is(pg_temp.asked(), 'cache', 'then not');
select is(pg_temp.asked('b'), null, 'with other arguments it is');
select is(pg_temp.asked(p_as_is => true), null, 'and at the door where nothing is added');
select t.read_as('bob');
select is(pg_temp.asked(), null, 'another has an answer of its own');
select t.read_as('op', 'qm_operator');
select api.set_terms('time__convert_time', '{"is_public": true}');
select t.read_as('bob');
select is((select pg_temp.asked() from (select pg_temp.asked()) as f), 'cache', 'unless the tool is declared public:');
select t.read_as('alice');
select is(pg_temp.asked(), 'cache', 'then it is everybody''s');
select t.at('2030-01-01 10:01+00');
select is(pg_temp.asked(), null, 'for as long as was said');
select t.act_as_superuser();
update catalog.item as x set version = 2 where x.public_name = 'time__convert_time';
select t.read_as('alice');
select is((select pg_temp.asked() from (select pg_temp.asked()) as f), null, 'and of the version of which it was said');

select * from finish();
rollback;
