begin;
select plan(2);

create function pg_temp.message() returns text language plpgsql as $$
declare v_text text; v_detail text; v_hint text;
begin
    perform catalog.put_origin('x', '', 'stdio', '{true}', null, null, '{"T": "s3cr3t value"}', '{}', null, '{}', '{}', false);
    return null;
exception when others then
    get stacked diagnostics v_text = message_text, v_detail = pg_exception_detail, v_hint = pg_exception_hint;
    return v_text || v_detail || v_hint;
end
$$;
select isnt(pg_temp.message(), null, 'it is refused');
select ok(pg_temp.message() not like '%s3cr3t%', 'without its value');

select * from finish();
rollback;
