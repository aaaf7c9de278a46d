-- Vectors for the names of lookup tables, table by table; answers are scored by them where the query has one.
-- One transaction with the service stopped or waiting, so locks are no risk; callers of the dropped are changed with it.
-- squawk-ignore-file ban-drop-function
alter table lookup.lookup_table add column has_vectors boolean not null default false;
comment on column lookup.lookup_table.has_vectors is 'Whether names wait for a vector each, and those near in meaning are found.';

drop function if exists api.search_lookup(
    text, text, integer, integer, text, boolean, text, jsonb, boolean, double precision, boolean
);
drop function if exists api.search_lookups(text, jsonb, integer, integer, boolean, boolean);
drop function if exists api.reconcile_lookups(jsonb, text, integer);
drop function if exists api.lookup_tables();
drop function if exists api.lookup_state(text);
drop function if exists api.lookup_examples(text, jsonb);
drop function if exists lookup.reconcile(integer[], jsonb, integer);
drop function if exists lookup.answer(
    integer, text, integer, integer, text, boolean, text, jsonb, boolean, real, boolean
);
drop function if exists lookup.match(
    integer, text, integer, integer, text, boolean, text, jsonb, boolean
);
drop function if exists lookup.features(integer, text, integer, text, boolean, text, jsonb);
drop function if exists lookup.find_names(
    integer, text, text, integer[], real[], ext.sparsevec, real, integer, text[]
);
drop function if exists lookup.coefficients(text);
drop function if exists lookup.explain_score(text, real[]);
drop function if exists search.put_names(text, text, text, bigint[], text[], text[]);
