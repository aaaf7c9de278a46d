-- A kind is a row: what selection, policy and statistics need of a card stands on the card, whatever its kind.
-- One transaction with the service stopped or waiting, so locks and rewrites are no risk; callers of the dropped are changed with it.
-- squawk-ignore-file ban-drop-column, ban-drop-function, ban-drop-constraint, adding-required-field, adding-foreign-key-constraint, adding-serial-primary-key-field, require-concurrent-index-creation, constraint-missing-not-valid
alter table search.kind
add column fields text[] not null
default '{name, title, description, parameters}' check (cardinality(fields) = 4),
add column feature_set text not null default 'text',
add column has_outcomes boolean not null default false,
add column card_function text,
add column describe_function text,
add column texts_function text,
add column store_function text,
add column problem_function text,
add column core_function text,
add column not_found text not null default 'card_not_found';
comment on column search.kind.fields is 'Names of the four searchable fields A, B, C and D.';
comment on column search.kind.field_weights is 'BM25F weights of the four fields.';
comment on column search.kind.feature_set is 'Which features score its cards.';
comment on column search.kind.has_outcomes is 'Whether calls and reported outcomes change the utility of its cards.';
comment on column search.kind.card_function is 'Makes the card of an item from its definition: f(ref bigint, name text, origin text, origin_description text, definition jsonb) returns jsonb. Null: its cards stand for no items, and the kind writes them itself.';
comment on column search.kind.describe_function is 'Describes a card: f(ref bigint) returns jsonb. Null: name, origin and brief.';
comment on column search.kind.texts_function is 'The texts that the scan reads: f(definition jsonb) returns table (member text, text text). Null: every string of the definition.';
comment on column search.kind.store_function is 'Writes the kind''s own table from the definitions: f(item_ids bigint[]) returns void. Null: it has none.';
comment on column search.kind.problem_function is 'Why a definition cannot be stored: f(definition jsonb) returns text. Null: every definition can be.';
comment on column search.kind.core_function is 'The part of a definition whose change needs approval: f(definition jsonb) returns jsonb. Null: all of it.';
comment on column search.kind.not_found is 'Slug of the error for a name that nobody has or the asking principal may not see.';
drop function if exists search.put_kind(text, text, real[]);
drop function if exists selection.value_cards(text, search.found[], jsonb, selection.mode);
drop function if exists api.search_cards(
    text, text, text, integer, ext.vector, text, jsonb, integer, boolean
);
drop function if exists api.rerank_candidates(text, text, text, ext.vector);

alter table search.card
add column categories text[] not null default '{}',
add column traits text[],
add column tokens integer not null default 0 check (tokens >= 0),
add column risk real not null default 0 check (risk between 0 and 1),
add column downrank real not null default 0 check (downrank between 0 and 1);
comment on column search.card.categories is 'Labels that rules can name.';
comment on column search.card.traits is 'Which of read_only and destructive apply to it; null where its kind has no such traits.';
comment on column search.card.tokens is 'Estimated tokens of its definition in a model''s context.';
comment on column search.card.risk is '0 (harmless) to 1; selections subtract it with the weight that the mode gives it.';
comment on column search.card.downrank is 'What selections subtract from its value: 0 nothing, 1 it comes last.';

alter type policy.item drop attribute annotations, add attribute traits text[];

delete from selection.exposure;
alter table selection.exposure
drop constraint exposure_pkey,
drop column tool_id,
add column kind text not null references search.kind,
add column ref bigint not null,
add primary key (principal_id, session, kind, ref);
create index exposure_kind_idx on selection.exposure (kind);
comment on table selection.exposure is 'Cards that the searches of a session have found; those of kind tool are part of its tools/list.';

delete from stats.selection_hour;
alter table stats.selection_hour
drop constraint selection_hour_pkey,
add column kind text not null references search.kind,
add primary key (hour, kind, principal_id, mode);
create index selection_hour_kind_idx on stats.selection_hour (kind);
comment on table stats.selection_hour is 'Selections of cards by the hour, of kinds that have outcomes; written by selection.count_selections.';
comment on column stats.selection_hour.tokens_full is 'What the whole list would have cost: tokens of every card of the kind that the principal may see when the hour is counted, once a selection.';

create table core.kind_folder (
    name text primary key,
    digest text not null,
    migrations jsonb not null check (jsonb_typeof(migrations) = 'object')
);
comment on table core.kind_folder is 'Folders with kinds that are not shipped, and which of their migrations were run.';
comment on column core.kind_folder.digest is 'SHA-256 over all files of the folder when they were applied last, in hexadecimal.';
comment on column core.kind_folder.migrations is 'The SHA-256 of each migration that was run, by file name.';
alter table core.kind_folder enable row level security;
alter table core.kind_folder force row level security;
