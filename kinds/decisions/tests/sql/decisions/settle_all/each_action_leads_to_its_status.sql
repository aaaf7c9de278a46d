begin;
select plan(5);

select t.make_project('shop', 'alice');
select t.make_decisions('shop', t.candidate('Raise our own errors.'), t.candidate('Cache the settings.'));
-- As in an operation, the caller is who has logged in, and the rights are those of the owner.
create function pg_temp.settled(p_action text) returns text language plpgsql security definer as $$
declare
    v_ids constant bigint[] := array(select d.id from decisions.decision as d);
    v_count constant integer := decisions.settle_all(v_ids, p_action, 'a test', 'shop');
begin
    return v_count || ' ' || (select string_agg(distinct d.status, ' ') from decisions.decision as d);
end
$$;
select t.log_in('cora');
select is(pg_temp.settled('reopen'), '2 candidate', 'reopen makes candidates');
select is(pg_temp.settled('reject'), '2 rejected', 'reject rejects');
select is(pg_temp.settled('reject'), '0 rejected', 'once');
select pg_temp.settled('reopen');
select is(pg_temp.settled('approve'), '2 canonical', 'approve makes decisions canonical');
select t.act_as_superuser();
select is((select string_agg(distinct r.action, ' ' order by r.action) from decisions.review as r), 'approve reject reopen', 'each is recorded');

select * from finish();
rollback;
