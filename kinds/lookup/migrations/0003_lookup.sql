-- Lookup tables: probabilities over all rows, retired rows that are told, near rows for curators.

-- squawk-ignore-file ban-drop-function
-- The signature changes: rows below the threshold, and retired rows that a query names.
drop function if exists lookup.answer(
    integer, text, integer, integer, text, boolean, text, jsonb, boolean, real, boolean,
    ext.vector, integer
);
drop function if exists api.lookup_tables();
drop function if exists lookup.mend_mojibake(text);
drop function if exists lookup.reconcile(integer[], jsonb, integer, ext.vector);
drop function if exists api.search_lookups(
    text, jsonb, integer, integer, boolean, boolean, text[], integer
);
drop function if exists api.reconcile_lookups(jsonb, text, integer, text[]);
drop function if exists api.configure_lookup(
    text, double precision, double precision, double precision
);

alter table lookup.lookup_table add column shows_near boolean not null default true;
comment on column lookup.lookup_table.shows_near is
'Whether the reconciliation API also returns rows below the threshold, so that curators can choose '
'among them.';
drop function if exists api.load_lookup(text, jsonb, boolean);

create type lookup.rival as (
    row_id bigint,
    key text,
    value text,
    name text,
    language text,
    active boolean,
    is_key boolean,
    label text,
    answer text,
    answer_score double precision,
    names integer,
    features real []
);
comment on type lookup.rival is
'A row to which a query may refer, with the name that matches best, and the answer to which the row belongs.';
