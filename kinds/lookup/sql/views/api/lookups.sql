create or replace view api.lookups with (security_invoker = true) as
select
    t.name,
    t.status,
    t.rows,
    t.names,
    t.description,
    t.domain,
    t.languages,
    t.properties,
    t.threshold,
    t.gap,
    t.at_precision,
    t.has_vectors,
    t.version,
    t.loaded_at
from api.lookup_tables() as t;
comment on view api.lookups is
'Lookup tables that you may use. Example: `select name, rows, description from lookups;`';
comment on column api.lookups.name is 'The name of the lookup table, as search_lookup takes it.';
comment on column api.lookups.status is 'ready, or empty if the table has no rows.';
comment on column api.lookups.rows is 'The number of its rows.';
comment on column api.lookups.names is 'The number of its names (values and aliases).';
comment on column api.lookups.description is 'What the table contains.';
comment on column api.lookups.domain is 'What its rows are about; empty if they are about several things.';
comment on column api.lookups.languages is 'The languages of its rows.';
comment on column api.lookups.properties is 'The properties of its rows.';
comment on column api.lookups.threshold is 'The lowest probability that an answer may have.';
comment on column api.lookups.gap is 'How much more probable than the second answer the first must be, to be a match.';
comment on column api.lookups.at_precision is
'The precision for which the threshold was learned; null if it was not learned.';
comment on column api.lookups.has_vectors is 'Whether its names have vectors.';
comment on column api.lookups.version is 'The number of its last change.';
comment on column api.lookups.loaded_at is 'The time of the last load; null if it was never loaded.';
grant select on api.lookups to qm_user;
