-- How near texts are to the common goals, stored with their vectors; whether anything fits depends on the goal, too.

-- squawk-ignore ban-drop-function
drop function if exists search.embed(text, text);
-- squawk-ignore ban-drop-function
drop function if exists search.embed_goal(text);
-- squawk-ignore ban-drop-function
drop function if exists selection.fit_of(selection.candidate[]);
-- squawk-ignore ban-drop-function
drop function if exists selection.require_goal(text);
-- squawk-ignore ban-drop-function
drop function if exists search.count_unembedded();
-- squawk-ignore ban-drop-function
drop function if exists search.coefficients(text, text[]);
-- squawk-ignore ban-drop-function
drop function if exists search.explain_score(text, real[], real[], text[]);
-- squawk-ignore ban-drop-function
drop function if exists search.forget_vectors(text, bytea[]);
-- squawk-ignore ban-drop-function
drop function if exists catalog.hold_imitations(bigint[]);

comment on column search.coefficient.part is
'What the weights are for. score: for the order of the cards. large: for their order in a large catalog and for a long '
'goal (search.coefficients). confidence: for the probability that a card is right.';
comment on column selection.mode.tail is
'A card is not shown if its probability is lower than this share of the best card''s probability. In a large catalog, '
'and for a long goal, a smaller share is enough: this number to the power of up to 1.5 (selection.least_of).';

create table search.common_similarity (
    model_id integer not null,
    kind text not null,
    text_hash bytea not null,
    highest double precision not null,
    mean double precision not null,
    primary key (model_id, text_hash, kind),
    foreign key (model_id, text_hash, kind) references search.embedding on delete cascade
);
insert into search.common_similarity (model_id, kind, text_hash, highest, mean)
with measured as (
    select
        e.model_id,
        e.kind,
        e.text_hash,
        1 - (e.vector operator(ext.<=>) g.vector) as similarity -- noqa: LT01
    from search.embedding as e
    inner join search.model as m on e.model_id = m.id
    inner join search.common_goal as g
        on m.name = g.model and ext.vector_dims(e.vector) = ext.vector_dims(g.vector)
)

select
    d.model_id,
    d.kind,
    d.text_hash,
    max(d.similarity) as highest,
    avg(d.similarity) as mean
from measured as d
group by d.model_id, d.kind, d.text_hash;
alter table search.common_similarity enable row level security, force row level security;
comment on table search.common_similarity is
'How similar each embedded text is to the common goals of its model (search.common_goal). The similarity does not '
'depend on the goal of a search, so it is computed once, when the vector is stored.';
comment on column search.common_similarity.text_hash is 'The hash of the text in search.embedding.';
comment on column search.common_similarity.highest is 'Cosine of the text with the nearest common goal.';
comment on column search.common_similarity.mean is 'Mean cosine of the text with the common goals.';

-- The triggers fill this table while the feature sets are installed.
create table search.profile_weights (
    kind text not null references search.kind,
    profile text not null,
    score ext.vector not null,
    large ext.vector,
    confidence ext.vector not null,
    has_confidence boolean not null,
    primary key (kind, profile)
);
alter table search.profile_weights enable row level security, force row level security;
comment on table search.profile_weights is
'The weights in search.coefficient, in the order in which a search uses them (search.coefficients). '
'search.renew_profile_weights keeps them up to date.';
comment on column search.profile_weights.profile is 'The profile in search.coefficient.';
comment on column search.profile_weights.score is
'The weights of the part score: the intercept, then the weights of the features, in their order. A weight that was not '
'learned is 0.';
comment on column search.profile_weights.large is
'The weights of the part large, in the same order. Null: none were learned.';
comment on column search.profile_weights.confidence is
'The weights of the part confidence: the weights for the place of a card in its list (search.place_names), the '
'intercept, then the weights of the features, in their order.';
comment on column search.profile_weights.has_confidence is
'Whether any weight of the part confidence has been learned.';

create table search.embedded_kind (
    kind text primary key references search.kind,
    changes bigint not null,
    waiting integer[] not null
);
alter table search.embedded_kind enable row level security, force row level security;
comment on table search.embedded_kind is
'The result of the last search for cards without a vector from the active model, for each kind '
'(search.claim_unembedded).';
comment on column search.embedded_kind.changes is
'The number of changes (search.count_changes) before that search. If the number has changed since then, the row is no '
'longer valid.';
comment on column search.embedded_kind.waiting is 'The rights classes of the cards that had no vector.';
