begin;
select plan(4);

select t.make_catalog(), t.make_principal('alice');
update catalog.item set deprecated_at = now() where name = 'convert_time';
select search.remove_cards('tool', array(select t.id from catalog.item as t where t.name = 'convert_time'));
select t.act_as('alice');
create function pg_temp.answer(p_name text) returns text language plpgsql as $$
declare v_code text; v_slug text; v_hint text;
begin
    perform api.describe_tool(p_name);
    return null;
exception when others then
    get stacked diagnostics v_code = returned_sqlstate, v_slug = constraint_name, v_hint = pg_exception_hint;
    return v_code || ' ' || v_slug || ' ' || v_hint;
end
$$;
select matches(pg_temp.answer('time__convert_tme'), '^QM404 tool_not_found Did you mean: [^?]*time__get_current_time', 'absent');
select matches(pg_temp.answer('time__convert_time'), '^QM404 tool_not_found Did you mean: [^?]*time__get_current_time', 'deprecated');
select matches(pg_temp.answer(null), '^QM404 tool_not_found .', 'null');
select matches(pg_temp.answer(repeat('x', 100000)), '^QM404 tool_not_found .', 'a very long one');

select * from finish();
rollback;
