begin;
select plan(6);
select t.make_principal('boss', 'admin'), t.make_project('shop', 'alice');
create temporary table kept as select t.make_library('shop', 'acme') as acme, t.make_library('shop', 'both') as both;
grant select on kept to public;
select t.act_as('boss', 'qm_admin');
select api.put_environment('/srv/all', array[k.acme, k.both]) from kept as k;
create function pg_temp.held() returns text language sql security definer as $$
    select concat_ws(' ', string_agg(d.name, ' ' order by d.name), 'state ' || max(e.state))
    from knowledge.environment as e
    inner join knowledge.environment_distribution as h on h.environment_id = e.id
    inner join knowledge.distribution as d on d.id = h.distribution_id
    where e.folder = '/srv/desk'
$$;
-- Somebody is told that these are stored; then the environments that hold one of them are forgotten.
select is(
    (select count(*) from api.known_distributions(api.put_environment('/srv/desk', '{}'), array(select d.digest from knowledge.distribution as d))), 2::bigint,
    'what everybody sees need not be read'
);
select api.put_environment('/srv/all', array[k.both]) from kept as k;
select t.act_as_superuser();
delete from knowledge.environment_distribution as h using knowledge.distribution as d where d.id = h.distribution_id and d.name = 'acme';
select is((select count(*) from knowledge.distribution), 1::bigint, 'one is gone');
select t.act_as('boss', 'qm_admin');
select throws_ok(
    $$select api.put_environment('/srv/desk', array[k.acme, k.both], state => 'whole') from kept as k$$, 'QM409',
    '1 of the packages that were read are no longer stored', 'which is told'
);
select is(pg_temp.held(), '', 'and nothing says that the environment was read whole');
select lives_ok($$select api.put_environment('/srv/desk', array[k.both, k.both], state => 'whole') from kept as k$$, 'what is there is taken, also twice');
select is(pg_temp.held(), 'both state whole', 'as a whole');
select * from finish();
rollback;
