-- Speed of select_tools at 100,000 tools: postings hold what their token weighs, so that nothing is multiplied when a goal comes.
-- One transaction with the service stopped or waiting, so locks are no risk; callers of the dropped are changed with it.
-- squawk-ignore-file ban-drop-function, adding-field-with-default, require-concurrent-index-creation
alter table search.term add column factor real check (factor > 0);
comment on column search.term.factor is 'What the token''s postings are multiplied by: its inverse document frequency when they were first written; null before.';
create index term_without_factor_idx on search.term (kind) where factor is null;
alter table search.kind add column weighed_cards bigint not null default 0;
comment on column search.kind.weighed_cards is 'How many cards there were when all were weighed; search.weigh does so again when there are twice or half as many.';
comment on table search.posting is 'What search.lexical.weights says, turned round: of each token its BM25 weight in the cards that have it, times the token''s factor.';
-- A list of a thousand cards fits into a page, and is read without a second look-up.
alter table search.posting set (toast_tuple_target = 8160);
-- The seeds weigh anew.
update search.kind set weighed_length = null;
drop function if exists search.query_terms(text, text);
-- What a goal says is read once for all who ask.
drop function if exists search.features(text, text, ext.vector, bigint[], ext.vector[]);
create type search.goal_terms as (
    query ext.sparsevec,
    term_ids integer [],
    lexemes text [],
    weights real [],
    factors real []
);
comment on type search.goal_terms is
'Tokens of a goal that the kind knows: as a sparse vector, and one by one with their weight and the factor of their postings. Arrays are null where there is none.';
