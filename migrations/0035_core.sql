-- A first start of a server may take minutes, so each origin can have a limit of its own. And what a refresh could not
-- read as the protocol says, but did not fail of, is told to people.
-- squawk-ignore-file adding-field-with-default, constraint-missing-not-valid

alter table catalog.origin
add column start_limit_s integer
constraint origin_start_limit_sane check (start_limit_s between 1 and 86400);
comment on column catalog.origin.start_limit_s is
'Number of seconds that a start of the server may take, whatever the server does meanwhile. Null: the settings decide.';

alter table catalog.refresh add column warnings text[] collate core.c_utf8 not null default '{}';
comment on column catalog.refresh.warnings is
'Sentences about what the refresh has left out or could not understand, although it succeeded.';
