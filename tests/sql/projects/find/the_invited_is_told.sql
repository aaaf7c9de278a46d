begin;
select plan(7);

create function pg_temp.hint(p_call text) returns text language plpgsql as $$
declare v_hint text;
begin
    execute p_call;
    return null;
exception when others then
    get stacked diagnostics v_hint = pg_exception_hint;
    return v_hint;
end $$;
-- Without an index, the row policy is asked first, and shows no project.
set local enable_indexscan = off;
set local enable_bitmapscan = off;
select t.make_principal('bob');
select t.make_project('shop', 'alice'), t.make_project('mill', 'alice');
select t.act_as('bob', 'qm_user');
select is(pg_temp.hint('select api.show_project()'), 'Add one with: qm project add PATH.', 'who is not invited adds a project');
select t.act_as('alice', 'qm_user');
select api.put_project_member('bob', project => 'shop');
select t.act_as('bob', 'qm_user');
select is(pg_temp.hint('select api.show_project()'), 'You have 1 invitation: qm project list, or the MCP tool project_invitations.', 'who is invited answers');
select is(pg_temp.hint($$select api.show_project('shop')$$), pg_temp.hint('select api.show_project()'), 'also if it names the project');
select is(pg_temp.hint($$select api.show_project('/srv/shop')$$), pg_temp.hint('select api.show_project()'), 'or a folder');
select is(
    (select x.text from api.start_task('write a test') as x where x.part = 'left_out' and x.name = 'project'),
    pg_temp.hint('select api.show_project()'), 'and at the start of a task'
);
select t.act_as('alice', 'qm_user');
select api.put_project_member('bob', project => 'mill');
select t.act_as('bob', 'qm_user');
select matches(pg_temp.hint('select api.show_project()'), '^You have 2 invitations: ', 'two are two');
select api.decline_project('shop'), api.decline_project('mill');
select is(pg_temp.hint('select api.show_project()'), 'Add one with: qm project add PATH.', 'what is declined is not told again');

select * from finish();
rollback;
