begin;
select plan(4);
select t.make_principal('boss', 'admin'), t.make_principal('op', 'operator');
create role qm_test_dba login;
grant qm_operator to qm_test_dba;
create role qm_test_owner login;
grant qm_admin to qm_test_owner;
update policy.principal as p set database_role = 'qm_test_dba' where p.name = 'op';
update policy.principal as p set database_role = 'qm_test_owner' where p.name = 'boss';
select set_config('qm.test_notes', jsonb_build_array(t.note('a', 'One.'))::text, true);

create function pg_temp.refusal() returns text language plpgsql as $$
declare
    v_slug text;
    v_hint text;
begin
    perform api.load_notes('[]', null);
    return null;
exception when sqlstate 'QM403' then
    get stacked diagnostics v_slug = constraint_name, v_hint = pg_exception_hint;
    return v_slug || ' ' || v_hint;
end
$$;

set local session authorization qm_test_dba;
select throws_ok($$select * from api.load_notes(current_setting('qm.test_notes')::jsonb, null)$$, 'QM403', null, 'an operator adds none for everybody');
select throws_ok($$select * from api.load_notes('[]', 'a digest', '{}')$$, 'QM403', null, 'and removes none');
select is(pg_temp.refusal(), 'service_required Ask an administrator to run: qm knowledge load', 'and reads who may');
set local session authorization qm_test_owner;
select lives_ok($$select * from api.load_notes(current_setting('qm.test_notes')::jsonb, null)$$, 'an administrator does');

select * from finish();
rollback;
