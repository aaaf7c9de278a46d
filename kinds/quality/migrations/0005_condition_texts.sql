-- What is told about a condition of a gate stands in a table.

create table quality.condition_text (
    metric text collate core.c_utf8 not null,
    situation text collate core.c_utf8 not null
    check (situation in ('unread', 'at_most', 'waived', 'unknown', 'unmeasured', 'measured')),
    text text collate core.c_utf8 not null check (text <> ''),
    primary key (metric, situation)
);
alter table quality.condition_text enable row level security, force row level security;
comment on table quality.condition_text is
'The sentences that tell people how a file stands with a condition of a gate. In a sentence, {NAME} stands for a fact '
'that quality.judge returns.';
comment on column quality.condition_text.metric is
'The measured value (see quality.gate_condition). Empty: every value that has no sentence of its own.';
comment on column quality.condition_text.situation is
'unread: no checker reads the language, and nothing speaks against the file; at_most: no checker reads the language, but '
'even the best possible value is too low; waived: a person has waived the condition; unknown: the value is not known; '
'unmeasured: nothing says why the value is not known; measured: the value is known.';
