begin;
select plan(4);

select t.make_lookups(), t.make_principal('alice'), t.make_principal('bob');
select lookup.put_rows(t.lookup_id('plant'), '[{"id": "7", "value": "Salix", "aliases": ["betula NANA"]}]', false);
select t.make_rules('{"rules": [{"effect": "deny", "subject": "principal:bob", "kinds": ["lookup"], "names": ["Betula nana"]}]}');
create function pg_temp.same(p_key text, p_name text) returns text[] language sql security definer as $$
    select lookup.same_name(t.lookup_id('plant'), p_key, p_name)
$$;
select t.act_as('alice');
select is(pg_temp.same('1', 'Betula  nana'), '{2,7}', 'a value and an alias');
select is(pg_temp.same('2', 'Betula nana'), '{7}', 'not of the row itself');
select is(pg_temp.same('1', 'B. nana'), '{}', 'an abbreviation is another name');
select t.act_as('bob');
select is(pg_temp.same('7', 'Betula nana'), '{}', 'nor of a hidden row');

select * from finish();
rollback;
