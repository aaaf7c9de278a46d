-- The term redacted of calls is called masked: what was set under the old name goes on hiding arguments.

reset role;
update calls.terms
set terms = terms - 'redacted' || jsonb_build_object('masked', terms -> 'redacted')
where terms ? 'redacted';
update core.setting
set value = value - 'redacted' || jsonb_build_object('masked', value -> 'redacted')
where name = 'call.terms' and value ? 'redacted';
set role qm_owner;
