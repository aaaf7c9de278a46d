begin;
select plan(2);

select is_empty('select * from search.missing_indexes()', 'an installation makes all of them');
create temporary table dropped as
select min(c.oid::regclass::text) as name
from pg_class as c
where c.relnamespace = 'search'::regnamespace and c.relkind = 'i' and c.relname like 'card\_%\_label\_idx';
do $do$
begin
    execute (select format('drop index %s', d.name) from dropped as d);
end
$do$;
select results_eq('select * from search.missing_indexes()', 'select name from dropped', 'one that was dropped');

select * from finish();
rollback;
