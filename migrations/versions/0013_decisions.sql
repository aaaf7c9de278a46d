-- Decisions: what a code base has decided, with evidence.

create schema decisions;
