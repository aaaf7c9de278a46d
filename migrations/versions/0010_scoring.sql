-- The learned score: what a candidate shows, and what each of it weighs.
-- One transaction with the service stopped or waiting, so locks and rewrites are no risk; callers of the dropped are changed with it.
-- squawk-ignore-file ban-drop-function, adding-field-with-default
drop function if exists search.search(
    text, text, ext.vector, integer, integer, integer, integer, real[]
);

-- What a card is called: the share of it that a goal says tells more than any score of the whole text.
alter table search.card
add column name_lexemes text[] not null default '{}',
add column origin_lexemes text[] not null default '{}';
comment on column search.card.name_lexemes is 'Tokens of the own name, without identifiers kept whole.';
comment on column search.card.origin_lexemes is 'Tokens of the origin''s name, without identifiers kept whole.';

create table search.coefficient (
    kind text not null references search.kind,
    model text not null,
    feature text not null,
    weight real not null,
    primary key (kind, model, feature)
);
comment on table search.coefficient is 'The learned score: weight of each feature, for one kind and the embedding model it was trained with. No rows: fusion.';
comment on column search.coefficient.feature is 'One of search.features, or intercept.';
alter table search.coefficient enable row level security;
alter table search.coefficient force row level security;

alter table selection.mode
add column scoring text not null default 'learned' check (scoring in ('fusion', 'learned'));
comment on column selection.mode.scoring is 'How candidates are scored: fusion (weighted sum of the channels) or learned (search.coefficient, where there are some).';
