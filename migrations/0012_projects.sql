-- Projects: code bases that decisions, code quality and knowledge are about. The cards of a project are for its members
-- only, so audiences of cards come first.
-- Existing tables get a column that is null in every row, in the transaction of the installation:
-- squawk-ignore-file adding-foreign-key-constraint, constraint-missing-not-valid, require-concurrent-index-creation
-- squawk-ignore-file ban-drop-constraint, ban-drop-function

create table policy.audience (
    id integer generated always as identity primary key,
    name text not null,
    created_at timestamptz not null default now()
);
alter table policy.audience enable row level security, force row level security;
comment on table policy.audience is
'Audiences of cards. A card with an audience is visible only to the members of the audience. Rules can hide it from a '
'member, and no rule can show it to anybody else.';
comment on column policy.audience.name is 'Purpose of the audience, in words. Two audiences may have the same name.';

create table policy.audience_member (
    audience_id integer not null references policy.audience on delete cascade,
    principal_id bigint not null references policy.principal on delete cascade,
    primary key (audience_id, principal_id)
);
alter table policy.audience_member enable row level security, force row level security;
comment on table policy.audience_member is 'The members of each audience.';
create index audience_member_principal_idx on policy.audience_member (principal_id);

create table policy.audience_rights (
    audience_id integer primary key references policy.audience on delete cascade,
    classes bit varying not null
);
alter table policy.audience_rights enable row level security, force row level security;
comment on table policy.audience_rights is
'The rights classes that belong to each audience, one bit for each rights class. The function policy.refresh_rights '
'writes this table.';

alter table policy.subject_rights add column closes bit varying not null default '';
comment on column policy.subject_rights.closes is
'Only set for the subject everyone: the rights classes of all audiences. Only members of an audience may see its '
'classes.';

alter type policy.item add attribute audience_id integer;

alter table policy.rights_class
add column audience_id integer references policy.audience on delete cascade,
drop constraint rights_class_matchers_key,
add constraint rights_class_key exclude using hash ((coalesce(audience_id, 0) || matchers) with =);
create index rights_class_audience_idx on policy.rights_class (audience_id);
comment on column policy.rights_class.audience_id is 'The audience of the cards in this class. Null: everybody.';
drop function if exists policy.put_classes(bit varying[], integer[]);
drop function if exists policy.let_read(regclass, text);

-- Whoever removes an audience removes its cards first: they must not become visible to everybody.
alter table search.card add column audience_id integer references policy.audience;
create index card_audience_idx on search.card (audience_id);
comment on column search.card.audience_id is
'The audience of the card. Null: everybody. Cards that belong to items have no audience.';

alter table policy.principal
add column curates_decisions boolean not null default false,
add constraint principal_curates_as_person check (kind = 'person' or not curates_decisions);
comment on column policy.principal.curates_decisions is
'Whether the principal may make decisions of its projects canonical. Only a person can have this right. No role '
'includes it.';
drop function if exists api.appoint_curator(text, boolean);
drop function if exists api.list_principals();

create schema projects;
comment on schema projects is 'Projects, that is, code bases, and their members.';

create table projects.project (
    id integer generated always as identity primary key,
    name text not null check (name ~ '^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$'),
    root text not null check (root ~ '^/' and length(root) <= 4000),
    owner_id bigint not null references policy.principal,
    audience_id integer not null unique references policy.audience,
    created_at timestamptz not null,
    constraint project_name_key unique (owner_id, name)
);
alter table projects.project enable row level security, force row level security;
comment on table projects.project is
'Projects: code bases to which decisions, findings about code quality, and notes belong.';
comment on column projects.project.name is
'Name of the project. Two owners may use the same name: OWNER/NAME names one project.';
comment on column projects.project.root is 'Folder of the project on the machine where its files are read.';
comment on column projects.project.owner_id is 'The principal who added the project.';
comment on column projects.project.audience_id is 'The audience of all cards of the project, that is, its members.';

create table projects.member (
    project_id integer not null references projects.project on delete cascade,
    principal_id bigint not null references policy.principal on delete cascade,
    role text not null check (role in ('member', 'owner')),
    primary key (project_id, principal_id)
);
alter table projects.member enable row level security, force row level security;
comment on table projects.member is
'The members of each project. Only members see what is stored about a project. Owners may change the members and '
'remove the project.';
create index member_principal_idx on projects.member (principal_id);
