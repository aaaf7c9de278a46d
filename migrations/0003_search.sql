-- The search engine: kinds of card, cards, their lexical documents and vectors.
-- Indexes over labels and vectors are partial, one for each kind (and model). search.put_kind and search.put_model
-- create them.
-- squawk-ignore-file prefer-bigint-over-smallint

create schema search;
comment on schema search is
'The only search engine, for cards of every kind. It searches by words, by vectors and by similar names, and combines '
'the results.';

-- This configuration removes accents and English stop words, and reduces words to their stems (Snowball). Before the
-- text reaches this configuration, search.words() splits identifiers and CJK text.
create text search configuration search.words (copy = pg_catalog.simple);
alter text search configuration search.words
alter mapping for
asciiword, word, numword, asciihword, hword, numhword, hword_asciipart, hword_part, hword_numpart
with ext.unaccent, pg_catalog.english_stem;
alter text search configuration search.words
drop mapping if exists for email, url, host, sfloat, version, url_path, file, float;
comment on text search configuration search.words is 'Tokens of card documents and goals.';

create type search.goal as (
    kind text,
    text text,
    vectors ext.vector [],
    lexical integer,
    dense integer,
    fuzzy integer,
    ef_search integer,
    scope jsonb
);
comment on type search.goal is
'Input for a candidate search: the kind; the goal; its unit vector and the vectors of its sentences; the number of '
'candidates from lexical, dense and fuzzy search; hnsw.ef_search; further arguments for the feature set.';
create type search.candidate as (
    card_id bigint,
    label text,
    text_hash bytea,
    lexical real,
    dense real,
    fuzzy real,
    sources text [],
    features real []
);
comment on type search.candidate is
'A card that the channels found: its name; the hash of the embedded text, which is compared to merge cards with the '
'same name (null: they are never merged); the score from each channel; the channels that found it; its features in '
'the order of its feature set.';
create type search.found as (
    card_id bigint,
    score real,
    lexical real,
    dense real,
    fuzzy real,
    sources text [],
    features real [],
    odds double precision
);
comment on type search.found is
'A card that the search engine found: the score (0 to 1); the score from each channel; the channels that found it; its '
'features in the order of its feature set; the log odds behind a learned score (null: fusion).';

create type search.goal_terms as (
    query ext.sparsevec,
    term_ids integer [],
    lexemes text [],
    weights real [],
    factors real [],
    most real
);
comment on type search.goal_terms is
'The tokens of a goal that occur in cards of the kind. They are stored as a sparse vector, and also one by one with '
'their weight and the factor of their postings (the arrays are null if there are no such tokens). The attribute most '
'is the weight of the whole goal.';

-- The sum function of pgvector takes several times as long, because it converts the vectors to arrays of double
-- precision.
create aggregate search.add_vectors(ext.vector) (sfunc = ext.vector_add, stype = ext.vector); -- noqa: LT01
comment on aggregate search.add_vectors(ext.vector) is 'Sum of vectors that have the same number of dimensions.';

create table search.feature_set (
    name text primary key,
    description text not null,
    features text[] not null,
    channels text[] not null,
    candidates_function text not null,
    check (cardinality(features) = cardinality(channels))
);
alter table search.feature_set enable row level security, force row level security;
comment on table search.feature_set is
'Sets of features by which cards are scored, each with the function that finds candidates and computes their features.';
comment on column search.feature_set.features is
'Names of the features, in the order of the arrays that the function returns.';
comment on column search.feature_set.channels is
'The channel to which each feature belongs: lexical, dense or fuzzy; null if it belongs to none. Features of a '
'channel with weight 0 do not count (search.silence).';
comment on column search.feature_set.candidates_function is
'Function that finds the candidates: f(goal search.goal) returns setof search.candidate. It returns only visible '
'cards.';

create table search.kind (
    name text primary key check (name ~ '^[a-z][a-z_]{0,30}$'),
    description text not null,
    not_found text not null default 'card_not_found',
    fields text[] not null
    default '{name, title, description, parameters}' check (cardinality(fields) = 4),
    field_weights real[] not null default '{2, 1, 1, 0.5}' check (cardinality(field_weights) = 4),
    k1 real not null default 1.2 check (k1 >= 0),
    b real not null default 0.75 check (b between 0 and 1),
    feature_set text not null default 'text' references search.feature_set,
    index_type text not null default 'text' check (index_type in ('text', 'names')),
    keep_setting text not null default 'receipt.keep',
    outcomes text not null default 'none' check (outcomes in ('none', 'called', 'reported')),
    has_outcomes boolean not null generated always as (outcomes <> 'none') stored,
    name_member text not null default 'name',
    naming text not null default 'callable' check (naming in ('callable', 'own')),
    describes_origin boolean not null default false,
    is_default boolean not null default false,
    folder text not null default '',
    card_function text,
    describe_function text,
    texts_function text,
    store_function text,
    problem_function text,
    core_function text,
    definition_function text,
    version_function text,
    labels_function text,
    availability_function text,
    cards bigint not null default 0,
    total_length double precision not null default 0,
    weighed_length double precision,
    weighed_cards bigint not null default 0
);
alter table search.kind enable row level security, force row level security;
comment on table search.kind is 'Kinds of card that can be searched, with their BM25 parameters and corpus statistics.';
comment on column search.kind.not_found is
'Slug of the error for a name that does not exist or that the caller may not see.';
comment on column search.kind.fields is 'Names of the four searchable fields A, B, C and D.';
comment on column search.kind.field_weights is 'BM25F weights of the four fields.';
comment on column search.kind.feature_set is 'The feature set by which cards of this kind are scored.';
comment on column search.kind.index_type is
'How cards are indexed. text: by BM25 over the fields; names: by the trigrams and words of the name alone, with '
'separate statistics for each origin.';
comment on column search.kind.keep_setting is 'The setting that says how long receipts of this kind are kept.';
comment on column search.kind.outcomes is
'Where outcomes come from. called: from calls; reported: from reports by the user of the card (api.report_outcome); '
'none: this kind has no outcomes.';
comment on column search.kind.has_outcomes is 'Whether outcomes change the utility of cards of this kind.';
comment on column search.kind.describes_origin is
'Whether the items of this kind are the instructions of origins (api.finish_refresh), one item for each origin.';
comment on column search.kind.card_function is
'Function that makes the card of an item from its definition: f(ref bigint, name text, origin text, origin_description '
'text, definition jsonb) returns jsonb. If the column is null, cards of this kind do not belong to items, and '
'functions of the kind write the cards.';
comment on column search.kind.describe_function is
'Function that describes a card: f(ref bigint) returns jsonb. If the column is null, the description consists of name, '
'origin and brief.';
comment on column search.kind.texts_function is
'Function that returns the texts for the scan: f(definition jsonb) returns table (member text, text text). If the '
'column is null, the scan reads every string of the definition.';
comment on column search.kind.store_function is
'Function that writes the kind''s own table from the definitions: f(item_ids bigint[]) returns void. Null if the kind '
'has no such table.';
comment on column search.kind.problem_function is
'Function that returns the reason why a definition cannot be stored: f(definition jsonb) returns text. If the column '
'is null, every definition can be stored.';
comment on column search.kind.core_function is
'Function that returns the part of a definition whose changes need approval: f(definition jsonb) returns jsonb. If the '
'column is null, every change needs approval.';
comment on column search.kind.name_member is
'Name of the member in which a definition contains the name of the item at its origin.';
comment on column search.kind.naming is
'The names that clients use. callable: origin__name; own: the name at the origin, with a prefix if another origin '
'used the name first.';
comment on column search.kind.definition_function is
'Function that returns the form in which a definition is stored: f(given jsonb) returns jsonb. If the column is null, '
'definitions are stored as given.';
comment on column search.kind.version_function is
'Function that returns the part of a definition whose changes make a new version: f(definition jsonb) returns jsonb. '
'If the column is null, every change makes a new version.';
comment on column search.kind.labels_function is
'Function that returns the labels that rules can name: f(definition jsonb) returns jsonb {categories, traits}. If the '
'column is null, there are no labels.';
comment on column search.kind.availability_function is
'Function that tells which cards cannot be used now: f(refs bigint[]) returns table (ref bigint, reason text, remedy '
'text, until timestamptz), one row for each such card. If the column is null, all cards can always be used.';
comment on column search.kind.total_length is 'Sum of weighted document lengths, in tokens.';
comment on column search.kind.weighed_length is
'Average length that was used to compute search.lexical.weights. search.weigh computes these weights again when the '
'average has changed too much.';
comment on column search.kind.weighed_cards is
'Number of cards when all cards were last weighed. search.weigh weighs all cards again when there are twice '
'or half as many.';
comment on column search.kind.folder is
'The folder from which the kind was installed; empty for kinds that belong to Quartermaster.';
comment on column search.kind.is_default is
'Whether this kind is used if a caller names no kind. At most one kind can be the default.';
create index kind_feature_set_idx on search.kind (feature_set);
create unique index kind_is_default_idx on search.kind (is_default) where is_default;

create table search.corpus (
    kind text not null references search.kind,
    origin text not null,
    cards integer not null,
    weighed_cards integer not null default 0,
    primary key (kind, origin)
);
alter table search.corpus enable row level security, force row level security;
comment on table search.corpus is 'How many names each origin has, for kinds that are indexed by names.';
comment on column search.corpus.weighed_cards is
'How many names the origin had when all lengths were last computed. search.weigh computes the lengths again when the '
'number has changed by a twentieth.';

create table search.card (
    id bigint generated always as identity primary key,
    kind text not null references search.kind,
    ref bigint not null,
    name text not null,
    origin text not null default '',
    label text not null,
    brief text not null default '',
    categories text[] not null default '{}',
    traits text[],
    tokens integer not null default 0 check (tokens >= 0),
    risk real not null default 0 check (risk between 0 and 1),
    downrank real not null default 0 check (downrank between 0 and 1),
    rights_class integer not null default 0,
    embedding_text text not null,
    text_hash bytea not null,
    name_lexemes text[] not null default '{}',
    origin_lexemes text[] not null default '{}',
    destroys text,
    updated_at timestamptz not null default now(),
    unique (kind, ref)
);
alter table search.card set (fillfactor = 85);
alter table search.card enable row level security, force row level security;
comment on table search.card is 'Everything that an agent may need, of any kind: one row for each live card.';
comment on column search.card.ref is 'Id of the row in the kind''s own table, such as catalog.item.id.';
comment on column search.card.label is
'The text that fuzzy search compares: the name of the card in lower case, without accents.';
comment on column search.card.destroys is
'Token of the word in the card''s name that says that the card destroys something, such as delet; null if the card '
'destroys nothing.';
comment on column search.card.categories is 'Labels that rules can name.';
comment on column search.card.traits is
'The traits of the card: read_only, destructive, or neither; null if its kind has no such traits.';
comment on column search.card.tokens is
'Estimated number of tokens that the definition of the card takes in a model''s context.';
comment on column search.card.risk is
'Risk from 0 (harmless) to 1 (most dangerous). Selections multiply the risk by a weight of the mode, and subtract the '
'product from the utility.';
comment on column search.card.downrank is
'Amount that selections subtract from the utility of the card: 0 subtracts nothing, 1 puts the card last.';
comment on column search.card.rights_class is
'Id of the rights class in policy.rights_class. Triggers keep it up to date.';
comment on column search.card.text_hash is
'SHA-256 of embedding_text, which is the key of the vector in search.embedding.';
comment on column search.card.name_lexemes is 'Tokens of the card''s own name, without whole identifiers.';
comment on column search.card.origin_lexemes is 'Tokens of the origin''s name, without whole identifiers.';
create index card_text_hash_idx on search.card (text_hash, kind);
create index card_kind_name_idx on search.card (kind, name);
create index card_kind_origin_idx on search.card (kind, origin, id);

create table search.lexical (
    card_id bigint primary key references search.card,
    kind text not null references search.kind,
    ref bigint not null,
    document tsvector not null,
    length real not null,
    weights ext.sparsevec
);
alter table search.lexical
alter column weights set storage main,
alter column document set storage external,
set (toast_tuple_target = 128, fillfactor = 50);
alter table search.lexical enable row level security, force row level security;
comment on table search.lexical is 'Tokens of each card and their BM25 weights as a sparse vector over search.term.id.';
create index lexical_kind_idx on search.lexical (kind);

-- The column card_id has no foreign key, because the trial search of pg_search stores two texts that belong to no card
-- (search.create_words_index).
create table search.words (
    id bigint primary key,
    kind text not null,
    words text not null
);
alter table search.words enable row level security, force row level security;
comment on table search.words is
'The tokens of each card as one text, for the index of pg_search (search.store_words). The table is empty if that '
'extension is missing.';
comment on column search.words.words is
'The tokens of the card. Each token is repeated; the number of copies is twice the weight of its field.';

create table search.term (
    id integer generated always as identity primary key,
    kind text not null references search.kind,
    lexeme text not null,
    cards integer not null check (cards >= 0),
    max_weight real not null default 0,
    factor real check (factor > 0),
    unique (kind, lexeme)
);
alter table search.term set (fillfactor = 50);
alter table search.term enable row level security, force row level security;
comment on table search.term is 'Vocabulary of a kind: document frequency and the largest BM25 weight of each token.';
comment on column search.term.factor is
'Factor of the token''s postings: the inverse document frequency of the token when its postings were first written; '
'null if the token has no postings yet.';
create index term_without_factor_idx on search.term (kind) where factor is null;

create table search.model (
    id integer generated always as identity primary key,
    name text not null unique,
    dimension integer not null check (dimension between 1 and 4000),
    source text not null default '',
    active boolean not null default false
);
alter table search.model enable row level security, force row level security;
comment on table search.model is 'Embedding models. Searches use exactly one of the models.';
comment on column search.model.source is
'Name of the model or path of its folder; the service uses it to load the model.';
create unique index model_active_idx on search.model (active) where active;

create table search.embedding (
    model_id integer not null references search.model,
    kind text not null references search.kind,
    text_hash bytea not null,
    vector ext.vector not null,
    primary key (model_id, text_hash, kind)
);
alter table search.embedding enable row level security, force row level security;
comment on table search.embedding is 'Vectors by model, kind and hash of the text, so that no text is embedded twice.';
create index embedding_kind_idx on search.embedding (kind);

create table search.posting (
    term_id integer not null references search.term,
    block bigint not null,
    weights ext.sparsevec not null check (ext.vector_dims(weights::ext.vector) = 2048),
    primary key (term_id, block)
);
alter table search.posting
alter column weights set storage external,
set (toast_tuple_target = 8160);
alter table search.posting enable row level security, force row level security;
comment on table search.posting is
'The weights in search.lexical, ordered by token. For each token, the table contains the BM25 weight in every card '
'with this token, multiplied by the factor of the token.';
comment on column search.posting.block is
'Number of the block. A block covers 2048 consecutive card ids. The first of them is block * 2048, and its position in '
'the block is 1.';

create table search.coefficient (
    kind text not null references search.kind,
    profile text not null,
    part text not null check (part in ('score', 'large', 'confidence')),
    feature text not null,
    weight real not null,
    primary key (kind, profile, part, feature)
);
alter table search.coefficient enable row level security, force row level security;
comment on table search.coefficient is 'Learned weight of each feature, for one kind and profile.';
comment on column search.coefficient.profile is
'The embedding model with which the weight was learned, or a name that the kind defines: the name of a lookup table, '
'or default.';
comment on column search.coefficient.part is
'The weights of the part score order the cards. In a large catalog, the weights of the part large order them '
'(search.coefficients). The weights of the part confidence give the probability that a card is right.';
comment on column search.coefficient.feature is
'Name of a feature of the kind, or intercept. For the part confidence, also the names that search.place_names lists.';

create table search.common_goal (
    model text not null,
    number integer not null,
    vector ext.vector not null,
    primary key (model, number)
);
alter table search.common_goal enable row level security, force row level security;
comment on table search.common_goal is
'What people often ask for: the centres of clusters of goals. There are several rows for each embedding model. Many '
'goals are near a card that is near such a centre, even if the card does not fit them.';
comment on column search.common_goal.model is 'The embedding model that makes the vectors.';
comment on column search.common_goal.number is 'Number of the cluster.';
comment on column search.common_goal.vector is 'Centre of the cluster. Only its direction counts.';

create table search.destroying_goal (
    model text primary key,
    weights ext.vector not null,
    intercept real not null
);
alter table search.destroying_goal enable row level security, force row level security;
comment on table search.destroying_goal is
'Weights that tell from the vector of a goal whether somebody with this goal wants to destroy something '
'(search.destroys). There is one row for each embedding model.';
comment on column search.destroying_goal.model is 'The embedding model that makes the vector.';
comment on column search.destroying_goal.weights is 'Logistic weights of the vector''s dimensions.';
comment on column search.destroying_goal.intercept is 'The log odds for a vector of zeros.';

-- Names have few lexemes, and their lexemes have no weights. Lists of positions are therefore used instead of sparse
-- vectors: the lists take a third of the space, and a search adds up weights only for the stored positions.
create table search.name_posting (
    term_id integer not null references search.term,
    block bigint not null,
    places smallint[] not null check (cardinality(places) > 0),
    primary key (term_id, block)
);
alter table search.name_posting alter column places set storage external;
alter table search.name_posting enable row level security, force row level security;
comment on table search.name_posting is
'For each lexeme that occurs in names, the cards whose names contain the lexeme.';
comment on column search.name_posting.block is
'Number of the block. A block covers 32768 consecutive card ids. The first of them is block * 32768, and its position '
'in the block is 0.';
