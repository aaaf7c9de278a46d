-- A principal's rights depend on these tables.
create or replace trigger principal_changed
after insert or update or delete on policy.principal
for each statement execute function core.bump_version('rights');

create or replace trigger subject_rights_changed
after insert or update or delete on policy.subject_rights
for each statement execute function core.bump_version('rights');

create or replace trigger audience_member_changed
after insert or update or delete on policy.audience_member
for each statement execute function core.bump_version('rights');

create or replace trigger audience_rights_changed
after insert or update or delete on policy.audience_rights
for each statement execute function core.bump_version('rights');

create or replace trigger rule_version_changed
after insert or update or delete on policy.rule_version
for each statement execute function core.bump_version('rights');

-- Service processes copy these tables for use in an outage, so the processes must be notified of
-- every change.
create or replace trigger rights_announced
after insert or update of name, role, enabled, organisation_id or delete on policy.principal
for each statement execute function core.announce('qm_rights');

create or replace trigger rights_announced
after insert or update of principal_id, key_hash, expires_at, revoked_at or delete on policy.api_key
for each statement execute function core.announce('qm_rights');

create or replace trigger rights_announced
after insert or update of issuer, subject, principal_id or delete on policy.identity
for each statement execute function core.announce('qm_rights');

create or replace trigger rights_announced
after insert or update or delete on policy.subject_rights
for each statement execute function core.announce('qm_rights');

-- This trigger records when each version of the rules was active.
create or replace trigger activation_added
after insert on policy.rule_version
for each row when (new.is_active) execute function policy.keep_activation();

create or replace trigger activation_kept
after update of is_active on policy.rule_version
for each row when (old.is_active <> new.is_active) execute function policy.keep_activation();

-- A client's stream can stay open for days, so the service must end the streams of a principal that
-- loses access.
create or replace trigger principals_announced
after update of enabled, role or delete on policy.principal
for each statement execute function core.announce('qm_principals');

create or replace trigger principals_announced
after update of principal_id, key_hash, expires_at, revoked_at or delete on policy.api_key
for each statement execute function core.announce('qm_principals');

create or replace trigger principals_announced
after update of issuer, subject, principal_id or delete on policy.identity
for each statement execute function core.announce('qm_principals');

create or replace trigger principals_announced
after delete on policy.toolset
for each statement execute function core.announce('qm_principals');
