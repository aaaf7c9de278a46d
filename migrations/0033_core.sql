-- The kinds that come with Quartermaster are kind folders, too. The first one that leaves the core is knowledge: what is
-- in the database belongs to its folder from now on, whether the folder is installed or not.
-- squawk-ignore-file adding-field-with-default

alter table core.kind_folder add column is_shipped boolean not null default false;
comment on column core.kind_folder.is_shipped is
'Whether the folder comes with Quartermaster. Then installations bring back what people have changed in its schemas.';
comment on table core.kind_folder is
'Folders with kinds of card: those that come with Quartermaster, and those of users.';

do $do$
begin
    if to_regnamespace('knowledge') is null then
        return;
    end if;
    insert into core.kind_folder (name, digest, schemas, is_shipped) values ('knowledge', '', '{knowledge}', true);
    update search.kind as k set folder = 'knowledge' where k.name in ('passage', 'question', 'symbol');
    update core.setting as s
    set folder = 'knowledge'
    where
        s.name ~ '^(knowledge|symbols|documents)\.'
        or s.name in ('task.symbol_floor', 'task.best_symbol', 'task.note', 'task.note_floor');
end
$do$;
