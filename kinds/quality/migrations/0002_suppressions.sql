-- Findings name the words in a file that would hide them.

alter table quality.finding add column suppressed_by text not null default '';
alter table quality.finding add column suppressed_at integer;
comment on column quality.finding.suppressed_by is
'The word in the file that tells the checker not to report the finding, such as # noqa: F401; empty if there is none.';
comment on column quality.finding.suppressed_at is 'The line of this word.';

-- They return more.
-- squawk-ignore ban-drop-function
drop function if exists quality.findings(bigint);
-- squawk-ignore ban-drop-function
drop function if exists api.gate(text, text, text, boolean, text);
