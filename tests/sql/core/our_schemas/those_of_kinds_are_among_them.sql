begin;
select plan(3);

select ok('{api,core,search}' <@ array_agg(s.name::text), 'those of the core') from core.our_schemas() as s;
select is_empty(
    $$select unnest(f.schemas) from core.kind_folder as f where f.is_shipped except select s.name::text collate core.c_utf8 from core.our_schemas() as s$$,
    'those of the kinds that ship'
);
select is_empty($$select s.name from core.our_schemas() as s where s.name in ('t', 'tap', 'ext', 'public', 'pg_catalog')$$, 'and no others');

select * from finish();
rollback;
