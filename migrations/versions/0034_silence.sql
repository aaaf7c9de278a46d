-- A channel can be silenced, in the learned score too: its weight in the profile is 0. Callers of the dropped are changed with it.
-- squawk-ignore-file ban-drop-function
drop function if exists search.explain_score(text, jsonb);
comment on column selection.mode.weight_lexical is 'Weight of words in fusion; 0 silences them, in the learned score too.';
comment on column selection.mode.weight_dense is 'Weight of vectors in fusion; 0 silences them, in the learned score too.';
comment on column selection.mode.weight_fuzzy is 'Weight of names alike in fusion; 0 silences them, in the learned score too.';
