-- Knowledge: symbols of installed packages, passages of notes.

create schema knowledge;
comment on schema knowledge is
'What agents can look up: notes of experts, cut into passages, and symbols of installed packages.';

-- Notes and passages.
create table knowledge.domain (
    name text primary key,
    description text not null,
    aliases text[] not null
);
alter table knowledge.domain enable row level security, force row level security;
comment on table knowledge.domain is 'The domains of the experts.';
comment on column knowledge.domain.aliases is
'Other words for the domain, in lower case, without hyphens and underscores.';

create table knowledge.note (
    id bigint generated always as identity primary key,
    project_id integer references projects.project on delete cascade,
    name text not null check (name ~ '^[a-z0-9][a-z0-9-]{0,63}(/[a-z0-9][a-z0-9-]{0,63})?$'),
    domain text not null references knowledge.domain,
    title text not null check (length(title) between 1 and 200),
    version text not null check (length(version) <= 40),
    source text not null check (length(source) between 1 and 1000),
    is_verified boolean not null,
    reviewed_on date not null,
    digest bytea not null,
    problem text,
    written_by bigint references policy.principal on delete set null,
    written_at timestamptz not null,
    constraint note_name_key unique nulls not distinct (project_id, name)
);
alter table knowledge.note enable row level security, force row level security;
create index note_domain_idx on knowledge.note (domain);
create index note_written_by_idx on knowledge.note (written_by);
comment on table knowledge.note is
'Notes of experts. Those without a project come with Quartermaster and are for everybody.';
comment on column knowledge.note.is_verified is
'Whether somebody compared the note with its source. Otherwise it was written from memory.';
comment on column knowledge.note.digest is 'SHA-256 of the file as it was read.';
comment on column knowledge.note.problem is
'Why the note is quarantined, that is, stored and never served; null if it is served.';
comment on column knowledge.note.written_by is
'Principal that stored the note; null if it came with Quartermaster.';

create table knowledge.passage (
    id bigint generated always as identity primary key,
    note_id bigint not null references knowledge.note on delete cascade,
    place integer not null,
    heading text not null,
    text text not null,
    asked text not null,
    unique (note_id, place)
);
alter table knowledge.passage enable row level security, force row level security;
comment on table knowledge.passage is
'Notes, cut at their headings. Each passage is a card of the kind passage.';
comment on column knowledge.passage.asked is
'How people ask for the passage, in other words than its text. It is searched, and not served.';
