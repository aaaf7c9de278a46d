-- Slugs raised by functions, for cards by what their kind says, and slugs of the registry are the same set.
begin;
select plan(2);

create temporary table raised as
select distinct m[1] as slug
from pg_proc as p
inner join pg_namespace as n on n.oid = p.pronamespace
cross join regexp_matches(p.prosrc, 'core\.fail\(\s*''([a-z_]+)''', 'g') as m
where n.nspowner = 'qm_owner'::regrole
union
select k.not_found from search.kind as k;
select set_eq('select slug from raised', 'select slug from core.error_code', 'both ways');
select is_empty($$select slug from core.error_code where next_step = '' or meaning = ''$$, 'each says what it means and what to do next');

select * from finish();
rollback;
