-- Symbols of installed packages, passages of notes, documentation that was fetched.

create schema knowledge;
comment on schema knowledge is
'What agents can look up: objects of installed packages (symbols), and notes of experts, split into passages.';

-- Symbols of installed packages.
create table knowledge.distribution (
    id bigint generated always as identity primary key,
    name text not null,
    version text not null,
    digest bytea not null,
    content bytea not null,
    modules text[] not null,
    summary text not null,
    objects integer not null,
    unread text[] not null,
    audience_id integer references policy.audience,
    indexed_at timestamptz not null,
    constraint distribution_content_key unique (content)
);
alter table knowledge.distribution enable row level security, force row level security;
create index distribution_audience_idx on knowledge.distribution (audience_id);
create index distribution_digest_idx on knowledge.distribution (digest);
create index distribution_name_idx on knowledge.distribution (name);
comment on table knowledge.distribution is
'Installed distributions that were read. Two copies of a distribution with different files have two rows.';
comment on column knowledge.distribution.name is 'Normalised name, as in package indexes.';
comment on column knowledge.distribution.digest is 'SHA-256 of all files that were read.';
comment on column knowledge.distribution.content is
'SHA-256 of the digest and of everything that was read. Nobody can guess it: a caller who knows it has read the same '
'files.';
comment on column knowledge.distribution.modules is 'Names under which programs import the distribution.';
comment on column knowledge.distribution.objects is 'Number of objects, including private objects.';
comment on column knowledge.distribution.unread is 'What could not be read, and why.';
comment on column knowledge.distribution.audience_id is
'The members of the projects whose environments contain these files. Null: an environment for everybody contains them.';

create table knowledge.environment (
    id bigint generated always as identity primary key,
    folder text not null,
    project_id integer references projects.project on delete cascade,
    state text,
    indexed_by bigint references policy.principal on delete set null,
    indexed_at timestamptz not null,
    constraint environment_key unique nulls not distinct (folder, project_id)
);
alter table knowledge.environment enable row level security, force row level security;
create index environment_project_idx on knowledge.environment (project_id);
create index environment_indexed_by_idx on knowledge.environment (indexed_by);
comment on table knowledge.environment is 'Folders of installed packages that were read.';
comment on column knowledge.environment.project_id is
'The project that uses the environment. Null: the environment is for everybody.';
comment on column knowledge.environment.state is
'Digest of the installed packages when an administrator or the service last read the folder completely. If the folder '
'has another state, the service reads it again. Null: neither has read it completely, so the service does not watch it.';
comment on column knowledge.environment.indexed_by is 'The principal with whose rights the folder is read again.';

create table knowledge.environment_distribution (
    environment_id bigint not null references knowledge.environment on delete cascade,
    distribution_id bigint not null references knowledge.distribution on delete cascade,
    primary key (environment_id, distribution_id)
);
alter table knowledge.environment_distribution enable row level security, force row level security;
create index environment_distribution_idx on knowledge.environment_distribution (distribution_id);
comment on table knowledge.environment_distribution is 'The distributions in each environment.';

create table knowledge.symbol (
    id bigint generated always as identity primary key,
    distribution_id bigint not null references knowledge.distribution on delete cascade,
    path text not null,
    name text not null generated always as (lower(split_part(path, '.', -1))) stored,
    kind text not null check (
        kind in ('module', 'class', 'function', 'method', 'property', 'attribute')
    ),
    signature text not null,
    file text not null,
    line integer not null,
    passage text not null,
    parameters text[] not null,
    deprecated text not null,
    is_async boolean not null,
    is_public boolean not null,
    priors real[] not null,
    constraint symbol_path_key unique (distribution_id, path)
);
alter table knowledge.symbol enable row level security, force row level security;
create index symbol_name_idx on knowledge.symbol (distribution_id, name);
comment on table knowledge.symbol is
'The objects of distributions, such as classes and functions. Each object has one row.';
comment on column knowledge.symbol.path is 'The path under which programs should use the object.';
comment on column knowledge.symbol.name is
'The last part of the path, in lower case. It is stored because an index on the expression cannot be used if row '
'policies hide rows.';
comment on column knowledge.symbol.passage is 'The documentation of the object, with secrets masked.';
comment on column knowledge.symbol.parameters is 'Names of the parameters.';
comment on column knowledge.symbol.is_public is 'True if no part of the path is private. Only public objects become cards.';
comment on column knowledge.symbol.priors is
'The features that do not depend on a question. In the feature set symbols, they come last, in the same order.';

create table knowledge.symbol_path (
    distribution_id bigint not null references knowledge.distribution on delete cascade,
    path text not null,
    name text not null generated always as (lower(split_part(path, '.', -1))) stored,
    symbol_id bigint not null references knowledge.symbol on delete cascade,
    primary key (distribution_id, path)
);
alter table knowledge.symbol_path enable row level security, force row level security;
create index symbol_path_name_idx on knowledge.symbol_path (distribution_id, name);
create index symbol_path_symbol_idx on knowledge.symbol_path (symbol_id);
comment on table knowledge.symbol_path is
'Further paths of an object, under which it is imported or inherited elsewhere.';
comment on column knowledge.symbol_path.name is 'The last part of the path, in lower case, as in knowledge.symbol.';

create table knowledge.missed_lookup (
    library text not null,
    topic text not null,
    principal_id bigint not null references policy.principal on delete cascade,
    asked integer not null default 1,
    asked_at timestamptz not null,
    primary key (principal_id, library, topic)
);
alter table knowledge.missed_lookup enable row level security, force row level security;
comment on table knowledge.missed_lookup is 'Libraries that somebody looked up although they are not indexed.';

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
    cites text[] not null default '{}',
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
'Notes of experts. Notes without a project come with Quartermaster, and everybody may read them.';
comment on column knowledge.note.is_verified is
'Whether somebody compared the note with its source. If not, the note was written from memory.';
comment on column knowledge.note.cites is
'What the note is about: paths of files in the project, and libraries with their version (pydantic 2.5). If one of '
'them has changed since the review, the note is stale.';
comment on column knowledge.note.digest is 'SHA-256 of the file from which the note was read.';
comment on column knowledge.note.problem is
'Why the note is quarantined: it is stored, but nobody gets it as an answer. Null: the note is not quarantined.';
comment on column knowledge.note.written_by is
'The principal who stored the note. Null: the note came with Quartermaster.';

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
'The sections of notes: each heading begins a passage. Each passage is a card of the kind passage.';
comment on column knowledge.passage.asked is
'Questions that the passage answers, in other words than its own. They are searched, but never shown.';

create table knowledge.question (
    id bigint generated always as identity primary key,
    passage_id bigint not null references knowledge.passage on delete cascade,
    text text not null
);
alter table knowledge.question enable row level security, force row level security;
create index question_passage_idx on knowledge.question (passage_id);
comment on table knowledge.question is
'Questions that passages answer: the sentences in knowledge.passage.asked, each with a vector. Each question is a card '
'of the kind question.';

-- Documentation that was fetched.
create table knowledge.document (
    library text not null check (length(library) between 1 and 200),
    topic text not null check (length(topic) <= 200),
    provider text not null,
    title text not null check (length(title) <= 300),
    url text not null check (length(url) <= 2000),
    text text not null check (length(text) <= 200000),
    etag text check (length(etag) <= 500),
    asked_by bigint references policy.principal on delete set null,
    fetched_at timestamptz not null,
    checked_at timestamptz not null,
    wanted_at timestamptz,
    primary key (library, topic)
);
alter table knowledge.document enable row level security, force row level security;
create index document_checked_idx on knowledge.document (checked_at);
create index document_asked_by_idx on knowledge.document (asked_by);
create index document_wanted_idx on knowledge.document (wanted_at) where wanted_at is not null;
comment on table knowledge.document is
'Documentation of libraries that are not installed, as it was fetched from a provider. The guardrails have checked it.';
comment on column knowledge.document.text is
'The documentation, in Markdown. Empty: the provider has none. The row is kept so that it is not asked again '
'immediately.';
comment on column knowledge.document.etag is
'The tag with which the provider identifies the text. Null: the provider sent none.';
comment on column knowledge.document.asked_by is
'The principal who first requested the text. The space for documentation is shared equally among all principals.';
comment on column knowledge.document.checked_at is 'When the provider last confirmed this text.';
comment on column knowledge.document.wanted_at is
'When somebody got the text although it was old. Null: nobody is waiting for a newer text.';

create table knowledge.provider (
    name text primary key,
    failures integer not null default 0,
    because text not null default '',
    paused_until timestamptz
);
alter table knowledge.provider enable row level security, force row level security;
comment on table knowledge.provider is
'The circuit breaker of each provider of documentation. A provider without a row has never failed.';
comment on column knowledge.provider.failures is 'Number of consecutive failures.';
comment on column knowledge.provider.paused_until is
'The time until which no requests are sent to the provider. Null: requests may be sent.';
