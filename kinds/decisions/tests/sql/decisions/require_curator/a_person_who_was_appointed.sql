begin;
select plan(6);

select t.make_project('shop', 'alice', 'cora', 'boss'), t.make_project('blog', 'alice');
update policy.principal set curates_decisions = true where name = 'cora';
update policy.principal set role = 'admin' where name = 'boss';
-- As in an operation, the caller is who has logged in, and the rights are those of the owner.
create function pg_temp.curator(p_project text default 'shop') returns text language plpgsql security definer as $$
declare
    v_hint text;
begin
    return (select p.name from policy.principal as p where p.id = decisions.require_curator((select j.id from projects.project as j where j.name = p_project)));
exception when others then
    get stacked diagnostics v_hint = pg_exception_hint;
    return concat_ws(' ', sqlstate, sqlerrm, v_hint);
end
$$;
select t.log_in('cora');
select is(pg_temp.curator(), 'cora', 'a curator who is a member');
select matches(pg_temp.curator('blog'), '^QM404 you are not a member of the decision''s project', 'not one who is no member');
select t.log_in('alice');
select is(pg_temp.curator(), 'QM403 alice was not appointed to curate decisions Ask an administrator to run: qm principal curator alice --of decisions.', 'a member who was not appointed asks an administrator');
select t.log_in('boss');
select is(pg_temp.curator(), 'QM403 boss was not appointed to curate decisions Appoint yourself: qm principal curator boss --of decisions.', 'an administrator need not ask');
select t.act_as('cora', 'qm_user');
select matches(pg_temp.curator(), '^QM403 decisions cannot be approved, rejected or changed through the service', 'nobody through the service');
select t.act_as(null);
select matches(pg_temp.curator(), '^QM403', 'and nobody else');

select * from finish();
rollback;
