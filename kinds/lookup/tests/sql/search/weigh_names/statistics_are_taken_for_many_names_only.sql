begin;
select plan(2);

create function pg_temp.known_rows() returns real language sql as $$select c.reltuples from pg_class as c where c.oid = 'search.lexical'::regclass$$;
create function pg_temp.load(p_table text, p_rows integer) returns real language sql as $$
    select lookup.put_rows(lookup.put_table(p_table, '', null), (
        select jsonb_agg(jsonb_build_object('id', n, 'value', 'name ' || n)) from generate_series(1, p_rows) as n
    ), true);
    select pg_temp.known_rows();
$$;
-- Each load makes a table, so its frequencies are new. The cards of tables are few and are counted anyway.
create temporary table known as select pg_temp.load('first', 1) as rows;
select cmp_ok(pg_temp.load('few', 20), '<', (select (k.rows + 20)::real from known as k), 'not for a few names of a new table');
select cmp_ok(pg_temp.load('many', 1010), '>', (select (k.rows + 1000)::real from known as k), 'but for many');

select * from finish();
rollback;
