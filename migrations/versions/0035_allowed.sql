-- A call that was allowed is one row: calls.call says which rule allowed it, policy.decision keeps what was denied.
-- Callers of the dropped are changed with it.
-- Lists of words are one constant each: constraints are read anew by every statement that writes, and lists of constants slowly.
-- One transaction with the service stopped or waiting, so locks are no risk.
-- squawk-ignore-file ban-drop-function, ban-drop-constraint, constraint-missing-not-valid
alter table calls.call
add column toolset text,
add column rule_version_id integer,
add column rule integer,
drop constraint call_outcome_check,
add constraint call_outcome_check check (
    outcome = any('{
        pending, ok, tool_error, invalid_arguments, timeout, cancelled, busy,
        auth, network, died, protocol, too_large, lost, internal, unavailable
    }')
),
drop constraint call_answered_by_check,
add constraint call_answered_by_check check (answered_by = any('{upstream, cache, key}'));
comment on column calls.call.toolset is 'Through which toolset the tool was asked for; null where none.';
comment on column calls.call.rule_version_id is 'Of policy.rule_version, whose rows stay: the rules that allowed the call. Null of reads (policy.decision) and of rows made from what a process wrote down (api.replay_calls).';
comment on column calls.call.rule is 'Position in that version of the rule that allowed it; null where the default did. No secret: the rule''s words are in policy.rule.';
comment on table policy.decision is 'What was denied, calls and descriptions, and reads that were allowed, with the rule that decided; of allowed calls calls.call has it.';

create type policy.verdict as (
    is_allowed boolean, version_id integer, rule integer, reason text -- noqa: LT01
);
comment on type policy.verdict is 'What policy.decide says: whether it is allowed, by which version, by which rule of it, and why in words.';
drop function if exists policy.decide(bigint, text, integer);
drop function if exists policy.log_decision(text, text, bigint, text, integer);
drop function if exists api.call_begin(
    text, integer, text, uuid, bigint, uuid, timestamptz, bytea, text, boolean, boolean
);
