-- Databases that were made from the repository before 28 November 2026 get what 0001 has had since then: it was edited
-- while nothing froze it. In every other database this changes nothing.

-- squawk-ignore-file adding-field-with-default, require-concurrent-index-creation
alter table knowledge.symbol
add column if not exists name text not null
generated always as (lower(split_part(path, '.', -1))) stored;
create index if not exists symbol_name_idx on knowledge.symbol (distribution_id, name);
alter table knowledge.symbol_path
add column if not exists name text not null
generated always as (lower(split_part(path, '.', -1))) stored;
create index if not exists symbol_path_name_idx on knowledge.symbol_path (distribution_id, name);

comment on schema knowledge is
'What agents can look up: objects of installed packages (symbols), and notes of experts, split into passages.';
comment on table knowledge.distribution is
'Installed distributions that were read. Two copies of a distribution with different files have two rows.';
comment on column knowledge.distribution.digest is 'SHA-256 of all files that were read.';
comment on column knowledge.distribution.content is
'SHA-256 of the digest and of everything that was read. Nobody can guess it: a caller who knows it has read the same '
'files.';
comment on column knowledge.distribution.modules is 'Names under which programs import the distribution.';
comment on column knowledge.distribution.objects is 'Number of objects, including private objects.';
comment on column knowledge.distribution.audience_id is
'The members of the projects whose environments contain these files. Null: an environment for everybody contains them.';
comment on column knowledge.environment.project_id is
'The project that uses the environment. Null: the environment is for everybody.';
comment on column knowledge.environment.state is
'Digest of the installed packages when an administrator or the service last read the folder completely. If the folder '
'has another state, the service reads it again. Null: neither has read it completely, so the service does not watch it.';
comment on column knowledge.environment.indexed_by is 'The principal with whose rights the folder is read again.';
comment on table knowledge.environment_distribution is 'The distributions in each environment.';
comment on table knowledge.symbol is
'The objects of distributions, such as classes and functions. Each object has one row.';
comment on column knowledge.symbol.name is
'The last part of the path, in lower case. It is stored because an index on the expression cannot be used if row '
'policies hide rows.';
comment on column knowledge.symbol.passage is 'The documentation of the object, with secrets masked.';
comment on column knowledge.symbol.is_public is 'True if no part of the path is private. Only public objects become cards.';
comment on column knowledge.symbol.priors is
'The features that do not depend on a question. In the feature set symbols, they come last, in the same order.';
comment on table knowledge.symbol_path is
'Further paths of an object, under which it is imported or inherited elsewhere.';
comment on column knowledge.symbol_path.name is 'The last part of the path, in lower case, as in knowledge.symbol.';
comment on table knowledge.missed_lookup is 'Libraries that somebody looked up although they are not indexed.';
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
comment on table knowledge.passage is
'The sections of notes: each heading begins a passage. Each passage is a card of the kind passage.';
comment on column knowledge.passage.asked is
'Questions that the passage answers, in other words than its own. They are searched, but never shown.';
comment on table knowledge.question is
'Questions that passages answer: the sentences in knowledge.passage.asked, each with a vector. Each question is a card '
'of the kind question.';
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
comment on table knowledge.provider is
'The circuit breaker of each provider of documentation. A provider without a row has never failed.';
comment on column knowledge.provider.failures is 'Number of consecutive failures.';
comment on column knowledge.provider.paused_until is
'The time until which no requests are sent to the provider. Null: requests may be sent.';
