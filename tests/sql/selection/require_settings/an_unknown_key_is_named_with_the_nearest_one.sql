begin;
select plan(6);

create function pg_temp.refusal(p_settings jsonb) returns text language plpgsql as $$
declare
    v_message text;
    v_hint text;
begin
    perform selection.require_settings('fast', p_settings);
    return null;
exception when sqlstate 'QM422' then
    get stacked diagnostics v_message = message_text, v_hint = pg_exception_hint;
    return v_message || ' ' || v_hint;
end
$$;
select is(pg_temp.refusal('{"top": 3, "lambda": 0}'), null, 'known keys');
select is(pg_temp.refusal('{}'), null, 'none');
select is(pg_temp.refusal('{"lamda": 0.3}'), 'the settings of fast have an unknown key: lamda Did you mean lambda?', 'a typing error');
select is(pg_temp.refusal('{"rerank_weight": 0.3}'), 'the settings of fast have an unknown key: rerank_weight Did you mean weight_rerank?', 'words the other way round');
select matches(pg_temp.refusal('{"name": "x"}'), 'unknown key: name', 'the mode''s name is no key');
select isnt(pg_temp.refusal('[]'), null, 'an array is refused');

select * from finish();
rollback;
