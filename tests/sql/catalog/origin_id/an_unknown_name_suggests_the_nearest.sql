begin;
select plan(3);

select t.make_origin('filesystem'), t.make_origin('memory');
select is((select o.name from catalog.origin as o where o.id = catalog.origin_id('memory')), 'memory', 'a known one');
create function pg_temp.hint(p_name text) returns text language plpgsql as $$
declare v_hint text;
begin
    perform catalog.origin_id(p_name);
    return null;
exception when sqlstate 'QM404' then
    get stacked diagnostics v_hint = pg_exception_hint;
    return v_hint;
end
$$;
select matches(pg_temp.hint('filesytem'), 'filesystem', 'a mistyped one');
select isnt(pg_temp.hint('zzz'), '', 'one like no other has a hint too');

select * from finish();
rollback;
