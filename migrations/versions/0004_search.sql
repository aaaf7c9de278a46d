-- The engine: kinds of card, cards, their lexical documents and vectors.
-- Indexes over documents, labels and vectors are partial, one a kind (and model): search.put_kind and search.put_model make them.

-- Accents folded, then English stop words and Snowball stemming; identifiers and CJK are prepared by search.words().
create text search configuration search.words (copy = pg_catalog.simple);
alter text search configuration search.words
alter mapping for
asciiword, word, numword, asciihword, hword, numhword, hword_asciipart, hword_part, hword_numpart
with ext.unaccent, pg_catalog.english_stem;
alter text search configuration search.words
drop mapping if exists for email, url, host, sfloat, version, url_path, file, float;
comment on text search configuration search.words is 'Tokens of card documents and goals.';

create table search.kind (
    name text primary key check (name ~ '^[a-z][a-z_]{0,30}$'),
    description text not null,
    k1 real not null default 1.2 check (k1 >= 0),
    b real not null default 0.75 check (b between 0 and 1),
    field_weights real[] not null default '{2, 1, 1, 0.5}' check (cardinality(field_weights) = 4),
    cards bigint not null default 0,
    total_length double precision not null default 0,
    weighed_length double precision
);
comment on table search.kind is 'Kinds of card that can be searched, with their BM25 parameters and corpus statistics.';
comment on column search.kind.field_weights is 'BM25F weight of the fields A (name), B (title and origin), C (description), D (parameters).';
comment on column search.kind.total_length is 'Sum of weighted document lengths, in tokens.';
comment on column search.kind.weighed_length is 'Average length with which search.lexical.weights were computed; search.weigh renews them when it drifts.';

create table search.card (
    id bigint generated always as identity primary key,
    kind text not null references search.kind,
    ref bigint not null,
    name text not null,
    origin text not null default '',
    label text not null,
    brief text not null default '',
    embedding_text text not null,
    text_hash bytea not null,
    updated_at timestamptz not null default now(),
    unique (kind, ref)
);
create index card_text_hash_idx on search.card (text_hash, kind);
create index card_kind_name_idx on search.card (kind, name);
comment on table search.card is 'Everything an agent may need, whatever its kind: one row a live card.';
comment on column search.card.ref is 'Row of the kind''s own table, such as catalog.tool.id.';
comment on column search.card.label is 'What fuzzy search compares: the own name, lower case, accents folded.';
comment on column search.card.text_hash is 'SHA-256 of embedding_text: the key under which its vector is kept.';

create table search.lexical (
    card_id bigint primary key references search.card,
    kind text not null references search.kind,
    ref bigint not null,
    document tsvector not null,
    length real not null,
    weights ext.sparsevec
);
-- Scoring reads weights of thousands of rows and no document: documents go out of line, so that the rows stay small.
alter table search.lexical alter column weights set storage main;
alter table search.lexical alter column document set storage external;
-- Half a page stays free, so that renewed weights and counts are written in place.
alter table search.lexical set (toast_tuple_target = 128, fillfactor = 50);
create index lexical_kind_idx on search.lexical (kind);
comment on table search.lexical is 'Tokens of each card and their BM25 weights as a sparse vector over search.term.id.';

create table search.term (
    id integer generated always as identity primary key,
    kind text not null references search.kind,
    lexeme text not null,
    cards integer not null check (cards >= 0),
    max_weight real not null default 0,
    unique (kind, lexeme)
);
alter table search.term set (fillfactor = 50);
comment on table search.term is 'Vocabulary of a kind: document frequency and the largest BM25 weight of each token.';

create table search.model (
    id integer generated always as identity primary key,
    name text not null unique,
    dimension integer not null check (dimension between 1 and 4000),
    active boolean not null default false
);
create unique index model_active_idx on search.model (active) where active;
comment on table search.model is 'Embedding models side by side; exactly one is active for queries.';

create table search.embedding (
    model_id integer not null references search.model,
    kind text not null references search.kind,
    text_hash bytea not null,
    vector ext.vector not null,
    primary key (model_id, text_hash, kind)
);
create index embedding_kind_idx on search.embedding (kind);
comment on table search.embedding is 'Vectors keyed by model, kind and hash of the text: nothing is embedded twice.';

alter table search.kind enable row level security;
alter table search.kind force row level security;
alter table search.card enable row level security;
alter table search.card force row level security;
alter table search.lexical enable row level security;
alter table search.lexical force row level security;
alter table search.term enable row level security;
alter table search.term force row level security;
alter table search.model enable row level security;
alter table search.model force row level security;
alter table search.embedding enable row level security;
alter table search.embedding force row level security;
