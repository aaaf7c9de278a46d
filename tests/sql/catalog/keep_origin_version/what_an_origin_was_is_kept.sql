begin;
select plan(5);

create function pg_temp.versions() returns setof text language sql as $$
    select format('%s %s %s%s', v.version, v.description, coalesce((v.valid_to at time zone 'UTC')::text, 'now'), case when v.is_removed then ' removed' end)
    from catalog.origin_version as v;
$$;
select t.make_principal('op', 'operator');
select t.at('2026-11-10 00:00+00');
select t.make_origin('o');
select t.at('2026-11-11 00:00+00');
update catalog.origin set status = 'failing', failure = 'it is away', refreshed_at = now();
select set_eq('select pg_temp.versions()', array['1 made for a test now'], 'how its refreshes go is no version');
update catalog.origin set description = 'other', environment = '{"TOKEN": "secret:token"}';
select set_eq('select pg_temp.versions()', array['1 made for a test 2026-11-11 00:00:00', '2 other now'], 'what is said of it is');
select is((select v.connection -> 'environment' from catalog.origin_version as v where v.version = 2), '{"TOKEN": "secret:token"}', 'with its connection, secrets as locators');
select t.at('2026-11-12 00:00+00');
select t.act_as('op', 'qm_operator');
select lives_ok($$select api.remove_origin('o')$$, 'an operator removes it');
select t.act_as_superuser();
select set_eq(
    'select pg_temp.versions()', array['1 made for a test 2026-11-11 00:00:00', '2 other 2026-11-12 00:00:00', '3 other now removed'], 'a removal is a version'
);

select * from finish();
rollback;
