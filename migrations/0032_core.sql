-- A kind folder that the settings name no more is hidden: all its data stay, and nobody sees them. And what a folder
-- has registered is known to be its own, so that it can be removed.
-- squawk-ignore-file adding-field-with-default, adding-foreign-key-constraint, require-concurrent-index-creation

alter table core.kind_folder
add column is_hidden boolean not null default false,
add column schemas text[] collate core.c_utf8 not null default '{}';
comment on column core.kind_folder.is_hidden is
'Whether the settings do not name the folder any more, so that its kinds are hidden and its jobs do not run.';

comment on column core.kind_folder.schemas is 'The schemas that the files of the folder make.';

-- The installer names the folder whose files it runs.
alter table core.setting
add column folder text collate core.c_utf8 not null
default coalesce(current_setting('qm.kind_folder', true), '');
comment on column core.setting.folder is 'The kind folder that has made the setting; empty for those of Quartermaster.';

alter table jobs.job
add column folder text collate core.c_utf8 not null
default coalesce(current_setting('qm.kind_folder', true), '');
comment on column jobs.job.folder is 'The kind folder that has made the job; empty for those of Quartermaster.';

alter table search.kind add column audience_id integer references policy.audience;
comment on column search.kind.audience_id is
'The audience of all cards of the kind. Null: their own. An audience without members hides the kind '
'(catalog.hide_kinds).';
create index kind_audience_idx on search.kind (audience_id);
