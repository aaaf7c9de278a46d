-- Slugs raised by functions and slugs of the registry are the same set.
begin;
select plan(3);

create temporary table raised as
select distinct m[1] collate core.c_utf8 as slug
from pg_proc as p
inner join pg_namespace as n on n.oid = p.pronamespace
cross join regexp_matches(p.prosrc, 'core\.fail\(\s*''([a-z_]+)''', 'g') as m
where n.nspowner = 'qm_owner'::regrole;
-- A slug of a family of kinds (search.kind_slug) is a beginning and an ending; the family card has them all.
insert into raised
select distinct f.family || m[1] collate core.c_utf8
from pg_proc as p
cross join regexp_matches(p.prosrc, 'search\.kind_slug\([^'']*''([a-z_]+)''\)', 'g') as m
cross join (
    select 'card' as family
    union
    select regexp_replace(k.not_found, '_not_found$', '') from search.kind as k
) as f
where (f.family = 'card' or exists (select from core.error_code as e where e.slug = f.family || m[1] collate core.c_utf8))
    and f.family || m[1] collate core.c_utf8 not in (select r.slug from raised as r);
select set_eq('select slug from raised', 'select slug from core.error_code', 'both ways');
select is_empty($$select slug from core.error_code where next_step = '' or meaning = ''$$, 'each says what it means and what to do next');
-- They are read by people at a command line and by agents, too.
select is_empty($$select slug from core.error_code where next_step ~* '\mselect\M.*\mfrom\M|\mapi\.|=>|\(\)|\\d'$$, 'none of them speaks SQL');

select * from finish();
rollback;
