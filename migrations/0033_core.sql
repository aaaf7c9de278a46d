-- The kinds that come with Quartermaster are kind folders, too. What some of them have in the database belongs to their
-- folders from now on, whether the folders are installed or not.
-- squawk-ignore-file adding-field-with-default

alter table core.kind_folder add column is_shipped boolean not null default false;
comment on column core.kind_folder.is_shipped is
'Whether the folder comes with Quartermaster. Then installations bring back what people have changed in its schemas.';
comment on table core.kind_folder is
'Folders with kinds of card: those that come with Quartermaster, and those of users.';

insert into core.kind_folder (name, digest, schemas, is_shipped)
select
    n.nspname as name,
    '' as digest,
    array[n.nspname] as schemas,
    true as is_shipped
from pg_namespace as n
where n.nspname in ('decisions', 'knowledge', 'lookup', 'quality');
update search.kind as k
set folder = m.folder
from (
    values
    ('decision', 'decisions'), ('lookup', 'lookup'), ('lookup_table', 'lookup'),
    ('passage', 'knowledge'), ('question', 'knowledge'), ('symbol', 'knowledge')
) as m (kind, folder)
where k.name = m.kind;
update core.setting as s
set folder = coalesce(substring(s.name, '^(decisions|lookup)\.'), 'knowledge')
where
    s.name ~ '^(decisions|documents|knowledge|lookup|symbols)\.'
    or s.name in ('task.symbol_floor', 'task.best_symbol', 'task.note', 'task.note_floor');
update jobs.job as j set folder = 'lookup' where j.name in ('evaluate_lookups', 'refresh_lookups');
