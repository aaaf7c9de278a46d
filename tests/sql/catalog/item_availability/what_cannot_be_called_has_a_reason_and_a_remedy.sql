begin;
select plan(6);

select t.make_catalog(), t.make_principal('alice'), t.at('2026-01-01 00:00:00+00');
select t.make_origin('paper', 'none');
select t.make_tool('paper', 'print', 'Print a page.');
create function pg_temp.told() returns table (name text, reason text, remedy text, until timestamptz) language sql as $$
    select i.public_name, a.reason, a.remedy, a.until
    from catalog.item_availability(array(select x.id from catalog.item as x)) as a
    inner join catalog.item as i on i.id = a.ref
    order by i.public_name;
$$;
select t.read_as('alice');
select results_eq($$select x.name, x.reason from pg_temp.told() as x$$, $$values ('paper__print', 'the server is in the catalog, but not connected')$$, 'no transport');
select t.act_as_superuser();
select calls.open_breaker(o.id, 'it failed') from catalog.origin as o where o.name = 'time';
select t.read_as('alice');
select results_eq(
    $$select x.name, x.reason, x.until from pg_temp.told() as x where x.name like 'time%'$$,
    $$select n.name, 'the server is failing: it failed', b.open_until from calls.breaker as b cross join (values ('time__convert_time'), ('time__get_current_time')) as n (name)$$,
    'an open breaker, and until when'
);
select t.at('2026-01-02 00:00:00+00');
select is_empty($$select * from pg_temp.told() as x where x.name like 'time%'$$, 'when the pause is over, the next call tries it');
select t.act_as_superuser();
update catalog.origin set status = 'failing', failure_class = 'auth', failure = 'the secret tracker is missing' where name = 'tracker';
select t.read_as('alice');
select is(
    (select array_agg(distinct x.reason) from pg_temp.told() as x where x.name like 'tracker%'), '{the last request to the server failed: the secret tracker is missing}',
    'a missing credential'
);
select matches((select min(x.remedy) from pg_temp.told() as x where x.name like 'tracker%'), 'store or renew the credential', 'and what to do');
select isnt_empty($$select * from pg_temp.told() as x where x.name = 'tracker__create_ticket' and x.until is null$$, 'nobody knows until when');

select * from finish();
rollback;
