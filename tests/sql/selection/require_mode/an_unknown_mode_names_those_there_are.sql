begin;
select plan(3);

select is((selection.require_mode('fast')).top, 5, 'a known one');
create function pg_temp.hint(p_name text) returns text language plpgsql as $$
declare v_hint text;
begin
    perform selection.require_mode(p_name);
    return null;
exception when sqlstate 'QM422' then
    get stacked diagnostics v_hint = pg_exception_hint;
    return v_hint;
end
$$;
select is(pg_temp.hint('warp'), 'Use one of: fast, balanced, thorough.', 'an unknown one');
select isnt(pg_temp.hint(null), null, 'none');

select * from finish();
rollback;
