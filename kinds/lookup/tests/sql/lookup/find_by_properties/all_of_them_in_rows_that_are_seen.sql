begin;
select plan(5);

select t.make_lookups(), t.make_principal('alice'), t.make_principal('bob');
select t.make_rules('{"rules": [
    {"effect": "deny", "subject": "principal:bob", "kinds": ["lookup"], "names": ["Betula nana"]}
]}');
create function pg_temp.found(p_properties jsonb, p_limit integer default 10) returns text language sql as $$
    select string_agg(r.key || ' of ' || f.fitting, ', ' order by r.key)
    from lookup.find_by_properties(t.lookup_id('plant'), p_properties, p_limit) as f
    inner join lookup.lookup_row as r on r.id = f.row_id
$$;
select t.read_as('alice');
select is(pg_temp.found('{"family": "betulaceae"}'), '1 of 2, 2 of 2', 'active rows with this property');
select is(pg_temp.found('{"family": "Betulaceae"}', 1), '1 of 2', 'as many as are wanted, and how many there are');
select is(pg_temp.found('{"family": ["Betulaceae", "Poaceae"], "author": "Roth"}'), '1 of 1', 'each of the properties, with one of its values');
select t.read_as('bob');
select is(pg_temp.found('{"family": "Betulaceae"}'), '1 of 1', 'a hidden row is not counted');
select t.read_as(null);
select throws_ok($$select pg_temp.found('{}')$$, 'QM403', null, 'nobody asks without a principal');

select * from finish();
rollback;
