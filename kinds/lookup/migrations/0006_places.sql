-- The places of the features that decide about answers have names.

-- squawk-ignore-file ban-drop-function
-- Its argument is of the new type.
drop function if exists lookup.answer_key(text, real[], integer[]);

create type lookup.places as (
    abbreviates integer,
    words_said integer,
    evidence integer,
    property_true integer,
    property_false integer,
    trigram integer,
    cosine integer,
    alias integer,
    sem integer,
    exact integer,
    in_word integer,
    numbers_differ integer,
    acronym integer,
    letters_equal integer
);
comment on type lookup.places is
'The places of features in the feature set "names", for the features that decide which rows are one '
'answer, which row matches, and what is told about a row. Each has the name of its feature.';
