-- What people ask for, in single words, so that clients with a search of their own find tools by these words too.
alter table selection.utility add column hint text collate core.c_utf8 not null default '';
comment on column selection.utility.hint is
'Words of goals for which the card was called successfully, most used first; at most 120 bytes. Each word was used by '
'at least as many principals as the setting list.hint_principals says. The function selection.refresh_hints writes it.';
