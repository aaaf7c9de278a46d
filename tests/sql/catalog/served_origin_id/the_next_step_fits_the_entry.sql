begin;
select plan(2);

-- The next step that comes with the refusal of an origin.
create function pg_temp.next_step(p_name text) returns text language plpgsql as $$
declare
    v_hint text;
begin
    perform catalog.served_origin_id(p_name);
    return null;
exception when others then
    get stacked diagnostics v_hint = pg_exception_hint;
    return v_hint;
end
$$;
select t.make_origin('entry', 'none'), t.make_origin('spare', 'none');
update catalog.origin set meta = '{"off": {"transport": "http"}}' where name = 'spare';
select matches(pg_temp.next_step('spare'), 'qm origin enable', 'one that is off is switched on');
select matches(pg_temp.next_step('entry'), 'qm origin add', 'one without a connection is connected');

select * from finish();
rollback;
