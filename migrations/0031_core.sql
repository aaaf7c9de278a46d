-- The ledgers of kind folders go into that of all migrations (sql/ledger.sql), which is made before the collation of
-- other columns.
alter table core.migration
-- squawk-ignore changing-column-type
alter column folder type text collate core.c_utf8,
-- squawk-ignore changing-column-type
alter column name type text collate core.c_utf8,
-- squawk-ignore changing-column-type
alter column digest type text collate core.c_utf8;
insert into core.migration (folder, name, digest)
select
    f.name,
    m.key,
    m.value
from core.kind_folder as f
cross join lateral jsonb_each_text(f.migrations) as m;
-- squawk-ignore ban-drop-column
alter table core.kind_folder drop column migrations;
comment on table core.kind_folder is 'Folders that contain a user''s own kinds of card.';
