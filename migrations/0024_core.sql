create table core.prior_state (
    subject text primary key check (subject in ('catalog', 'database', 'extensions')),
    state jsonb not null
);
alter table core.prior_state enable row level security, force row level security;
comment on table core.prior_state is
'What the installation found before it changed it, for qm uninstall to put back. Databases that were installed by an '
'older release have no rows.';
comment on column core.prior_state.state is
'catalog: what everybody (withheld) and pg_monitor (monitored) could not, or could, do with the functions of PostgreSQL '
'and with pg_class, unlike in a new database. database: its oid, what everybody could do there, and the settings by '
'role. extensions: their names, and whether everybody could use the schema ext (null: there was none).';
