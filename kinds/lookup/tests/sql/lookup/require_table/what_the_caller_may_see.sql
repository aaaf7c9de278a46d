begin;
select plan(4);

select t.make_lookups(), t.make_principal('alice'), t.make_principal('bob');
select t.make_rules('{"rules": [{"effect": "deny", "subject": "principal:bob", "kinds": ["lookup_table"], "names": ["place"]}]}');
select t.read_as('alice');
select is(lookup.require_table('place'), t.lookup_id('place'), 'a table');
select t.read_as('bob');
select throws_ok($$select lookup.require_table('place')$$, 'QM404', 'there is no lookup table called ''place''', 'a hidden table');
create function pg_temp.hint() returns text language plpgsql as $$
declare
    v_hint text;
begin
    perform lookup.require_table('place');
    return null;
exception when sqlstate 'QM404' then
    get stacked diagnostics v_hint = pg_exception_hint;
    return v_hint;
end
$$;
select is(pg_temp.hint(), 'The nearest names are: plant. lookup_tables lists all lookup tables.', 'which no hint names');
select t.read_as(null);
select throws_ok($$select lookup.require_table('plant')$$, 'QM403', null, 'nobody asks without a principal');

select * from finish();
rollback;
