-- Calls made while the database was away: each spooled record arrives once.
-- One transaction with the service stopped or waiting, so locks are no risk; callers of the dropped are changed with it.
-- squawk-ignore-file ban-drop-function, require-concurrent-index-creation
alter table calls.call
add column key uuid,
add column replayed_at timestamptz;
create unique index call_key_idx on calls.call (key);
comment on column calls.call.key is 'Given by the process that relays the call, before anything is written of it anywhere.';
comment on column calls.call.replayed_at is 'When its record, or the end of it, came from the spool of a process that could not reach the database; null where it was written at once.';

drop function if exists api.call_begin(text, integer, text, uuid, bigint);
