begin;
-- The rights on the database of a test are its own.
select core.record_objects('database');
select plan(4);

select is_empty('select * from core.changed_objects()', 'nothing has changed since the installation');
alter table catalog.item no force row level security;
drop index policy.api_key_principal_idx;
create table catalog.mine (id bigint);
create index on catalog.item (status);
select results_eq(
    'select c.change, c.kind, c.name from core.changed_objects() as c order by 3, 2',
    $$values
        ('changed', 'row security of', 'catalog.item'), ('added', 'table', 'catalog.mine'),
        ('missing', 'index', 'policy.api_key_principal_idx')$$,
    'what is changed, missing or added; not an index, and not the parts of a table'
);
select alike(
    (select c.remedy from core.changed_objects() as c where c.kind = 'index'), '%CREATE INDEX api_key_principal_idx ON policy.api_key%',
    'the SQL that makes it again'
);
delete from core.installed_object;
select is_empty('select * from core.changed_objects()', 'nothing, if nothing was recorded');

select * from finish();
rollback;
