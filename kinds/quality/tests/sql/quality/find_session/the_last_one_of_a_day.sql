begin;
select plan(6);

select t.make_project('shop', 'alice', 'bob');
create temporary table shop as select p.id from projects.project as p;
grant select on shop to public;
-- As in an operation, the caller is the member, and the rights are those of the owner.
create function pg_temp.found(p_handle text default null) returns bigint language sql security definer as $$select quality.find_session(p_handle, s.id) from shop as s$$;
select t.at('2030-01-01 10:00Z');
select t.act_as('alice');
create temporary table first as select pg_temp.found() as id, o.session as handle from api.open_quality_session() as o;
grant select on first to public;
select isnt((select id from first), null, 'the first call begins one');
select t.at('2030-01-02 09:00Z');
create temporary table named as select pg_temp.found(handle) as id from first;
select is(pg_temp.found(), (select id from named), 'the one that was used last');
select is(pg_temp.found((select handle from first)), (select id from named), 'or the one that is named');
select t.at('2030-01-03 09:00Z');
select isnt(pg_temp.found(), (select id from named), 'one that was not used for a day is not taken up');
select throws_ok($$select pg_temp.found('invented')$$, 'QM404', null, 'one that is not there');
select t.act_as('bob');
select throws_ok($$select pg_temp.found(handle) from first$$, 'QM404', null, 'nor that of another member');

select * from finish();
rollback;
