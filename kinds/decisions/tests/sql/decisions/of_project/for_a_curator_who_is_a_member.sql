begin;
select plan(5);

select t.make_project('shop', 'alice'), t.make_project('blog', 'alice');
create temporary table made as select t.make_decisions('shop', t.candidate('Use the session.'), t.candidate('Cache the settings.')) as ids, t.make_decisions('blog', t.candidate('Write short posts.')) as others;
grant select on made to public;
-- As in an operation, the caller is who has logged in, and the rights are those of the owner.
create function pg_temp.found(p_ids bigint[]) returns text[] language sql security definer as $$
    select array_agg(d.pattern) from projects.project as p cross join lateral decisions.of_project(p_ids, p.id) as d where p.name = 'shop';
$$;
select t.log_in('cora');
select is((select pg_temp.found(array[ids[2], ids[1]]) from made), '{Use the session.,Cache the settings.}', 'in the order of their ids');
select throws_ok($$select pg_temp.found(ids || others) from made$$, 'QM404', (select format('the project has no decision %s', others[1]) from made), 'not those of another project');
select throws_ok($$select pg_temp.found('{}')$$, 'QM404', 'no decision is named', 'one at least');
select t.log_in('alice');
select throws_ok($$select pg_temp.found(ids) from made$$, 'QM403', null, 'not for a member who is no curator');
select t.act_as('cora', 'qm_user');
select throws_ok($$select pg_temp.found(ids) from made$$, 'QM403', null, 'and never through the service');

select * from finish();
rollback;
