-- The objects of the last installation, so that qm doctor can say what people have changed since.

create table core.installed_object (
    kind text not null,
    name text not null,
    state text not null,
    remedy text,
    place integer not null,
    primary key (kind, name)
);
alter table core.installed_object enable row level security, force row level security;
comment on table core.installed_object is
'Everything in the schemas of Quartermaster as the last installation left it. core.changed_objects compares.';
comment on column core.installed_object.state is 'What must not change: owner, rights, definition, or a hash of these.';
comment on column core.installed_object.remedy is
'SQL that brings the state back; null if the files of an installation do that, or if nothing does.';
comment on column core.installed_object.place is 'The order in which the remedies work.';
