begin;
select plan(2);

select t.make_project('shop', 'alice'), t.make_principal('bob');
select t.make_library('shop', 'acme');
create temporary table stored as select s.id from knowledge.symbol as s;
grant select on stored to public;
select t.read_as('alice');
select is(
    (select knowledge.describe_symbol(s.id) from stored as s),
    '{"library": "acme", "version": "1.0", "kind": "function", "signature": "send(parcel)", "file": "acme/core.py", "line": 7,
      "documentation": "Sends a parcel.", "deprecated": null, "paths": ["acme.core.send"]}'::jsonb, 'the object, its library and its further paths'
);
select t.read_as('bob');
select is((select knowledge.describe_symbol(s.id) from stored as s), null, 'others read nothing');

select * from finish();
rollback;
