-- Lookup tables over tables of the user's own, and what makes finding names quick.

-- Names have few lexemes and no weights: lists of places are a third of the size of sparse vectors,
-- and only what is in them is added up.
create table search.name_posting (
    term_id integer not null references search.term,
    block bigint not null,
    places smallint[] not null check (cardinality(places) > 0),
    primary key (term_id, block)
);
-- Long lists go out of line as they are: compressing them would cost each query more than reading.
alter table search.name_posting alter column places set storage external;
comment on table search.name_posting is 'Of each lexeme of names the cards that have it.';
comment on column search.name_posting.block is
'Cards of 32768 consecutive ids: block * 32768 is at place 0.';
alter table search.name_posting enable row level security;
alter table search.name_posting force row level security;
