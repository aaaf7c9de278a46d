begin;
select plan(4);

select is_empty($$select * from core.capability as c where c.installed and c.reason is not null$$, 'installed ones need no reason');
select is_empty($$select * from core.capability as c where not c.installed and c.reason is null$$, 'absent ones have one');
select is_empty($$select * from core.capability as c where c.required and not c.installed$$, 'required ones are there');
select set_eq($$select c.name from core.capability as c where c.required$$, array['vector', 'pg_trgm', 'unaccent'], 'these are required');

select * from finish();
rollback;
