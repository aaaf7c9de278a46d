-- What people have taught: for goals like this one, that card. The search compares the vector of a goal with the vectors
-- of these goals, so each has one for each model.
create table search.teaching (
    id bigint generated always as identity primary key,
    organisation_id bigint references policy.organisation,
    kind text collate core.c_utf8 not null references search.kind,
    goal text collate core.c_utf8 not null check (goal <> ''),
    goal_hash bytea not null,
    ref bigint not null,
    instead_of bigint check (instead_of <> ref),
    reason text collate core.c_utf8 not null default '' check (length(reason) <= 2000),
    created_by bigint not null references policy.principal,
    created_at timestamptz not null
);
alter table search.teaching enable row level security, force row level security;
comment on table search.teaching is
'Judgements of people: the card that is right for a goal, and for goals like it. They change the searches of one '
'organisation.';
comment on column search.teaching.organisation_id is
'The organisation whose searches change; null for the principals that belong to no organisation.';
comment on column search.teaching.goal_hash is 'SHA-256 of the goal in lower case.';
comment on column search.teaching.ref is 'The right card: the id of the row behind it, as in search.card.';
comment on column search.teaching.instead_of is 'A wrong card, which ranks lower for such goals; null for none.';
-- Null is a value here: the principals without an organisation are a group, too.
create unique index teaching_goal_idx on search.teaching (coalesce(organisation_id, 0), kind, goal_hash);
create index teaching_organisation_idx on search.teaching (organisation_id);
create index teaching_kind_idx on search.teaching (kind);
create index teaching_created_by_idx on search.teaching (created_by);

create table search.teaching_vector (
    model_id integer not null references search.model on delete cascade,
    teaching_id bigint not null references search.teaching on delete cascade,
    vector ext.vector not null,
    primary key (teaching_id, model_id)
);
alter table search.teaching_vector enable row level security, force row level security;
comment on table search.teaching_vector is
'Vectors of the goals in search.teaching. Until a goal has a vector of the model, only the same goal is like it.';
create index teaching_vector_model_idx on search.teaching_vector (model_id);
