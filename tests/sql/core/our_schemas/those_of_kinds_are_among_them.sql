begin;
select plan(2);

select ok('{api,core,lookup,quality}' <@ array_agg(s.name::text), 'those of the core and of the kinds that ship') from core.our_schemas() as s;
select is_empty($$select s.name from core.our_schemas() as s where s.name in ('t', 'tap', 'ext', 'public', 'pg_catalog')$$, 'and no others');

select * from finish();
rollback;
