-- The audited tables. The arguments name the column by which people know a row, and the columns
-- whose values are secret.
-- The list is written out, so that the lint of domains sees it.
-- Constraint triggers cannot be replaced. Pending events run first, because a table in use keeps
-- its triggers.
set constraints all immediate;

create or replace trigger record_kept
before update or delete on audit.record
for each row execute function audit.refuse_change();

create or replace trigger record_not_emptied
before truncate on audit.record
for each statement execute function audit.refuse_change();

drop trigger if exists audited on policy.principal;
create constraint trigger audited
after insert or update or delete on policy.principal
deferrable initially deferred
for each row execute function audit.record_change('name');

drop trigger if exists audited on policy.api_key;
create constraint trigger audited
after insert or delete or update of principal_id, label, prefix, key_hash, expires_at, revoked_at
on policy.api_key
deferrable initially deferred
for each row execute function audit.record_change('prefix', 'key_hash');

drop trigger if exists audited on policy.identity;
create constraint trigger audited
after insert or delete or update of issuer, subject, principal_id on policy.identity
deferrable initially deferred
for each row execute function audit.record_change('subject');

-- A refresh writes its results into the same row; they belong to the log of refreshes.
drop trigger if exists audited on catalog.origin;
create constraint trigger audited
after insert or delete
or update of
name, slug, transport, command, url, cwd, environment, headers, auth_reference, tls, approval, auth
on catalog.origin
deferrable initially deferred
for each row execute function audit.record_change('name');

drop trigger if exists removal_audited on catalog.origin;
create constraint trigger removal_audited
after update of status on catalog.origin
deferrable initially deferred
for each row when ((old.status = 'removed') <> (new.status = 'removed'))
execute function audit.record_change('name');

-- Decisions of people and of the scan on an item; changes of its definition are versions.
drop trigger if exists audited on catalog.item;
create constraint trigger audited
after update of status, approved_version, downrank on catalog.item
deferrable initially deferred
for each row when (
    old.status <> new.status
    or old.approved_version is distinct from new.approved_version
    or old.downrank <> new.downrank
)
execute function audit.record_change(
    'public_name',
    '',
    'kind,status,status_reason,version,approved_version,downrank,downrank_reason'
);

drop trigger if exists audited on policy.organisation;
create constraint trigger audited
after insert or update or delete on policy.organisation
deferrable initially deferred
for each row execute function audit.record_change('name');

drop trigger if exists audited on policy.rule_version;
create constraint trigger audited
after insert or update or delete on policy.rule_version
deferrable initially deferred
for each row execute function audit.record_change('id');

-- Rules and matchers never change; the record of their version or toolset contains them.
drop trigger if exists audited on policy.rule;
create constraint trigger audited
after update or delete on policy.rule
deferrable initially deferred
for each row execute function audit.record_change('position');

drop trigger if exists audited on policy.matcher;
create constraint trigger audited
after update or delete on policy.matcher
deferrable initially deferred
for each row execute function audit.record_change('id');

drop trigger if exists audited on policy.toolset;
create constraint trigger audited
after insert or update or delete on policy.toolset
deferrable initially deferred
for each row execute function audit.record_change('name');

drop trigger if exists audited on search.model;
create constraint trigger audited
after insert or update or delete on search.model
deferrable initially deferred
for each row execute function audit.record_change('name');

drop trigger if exists audited on selection.mode;
create constraint trigger audited
after insert or update or delete on selection.mode
deferrable initially deferred
for each row execute function audit.record_change('name');

drop trigger if exists audited on snapshots.snapshot;
create constraint trigger audited
after insert or delete or update on snapshots.snapshot
deferrable initially deferred
for each row execute function audit.record_change(
    'name', '', 'name,note,rule_version_id,origins,items,content_hash,public_key,artifact_hash'
);

drop trigger if exists audited on snapshots.activation;
create constraint trigger audited
after insert on snapshots.activation
deferrable initially deferred
for each row execute function audit.record_change('id');

drop trigger if exists audited on core.setting;
create constraint trigger audited
after insert or update or delete on core.setting
deferrable initially deferred
for each row execute function audit.record_change('name');

create or replace trigger emptying_audited
after truncate on policy.principal
for each statement execute function audit.record_change();

create or replace trigger emptying_audited
after truncate on policy.api_key
for each statement execute function audit.record_change();

create or replace trigger emptying_audited
after truncate on catalog.origin
for each statement execute function audit.record_change();

-- A load of rows makes one record, with the number of rows and the version.
drop trigger if exists audited on lookup.lookup_table;
create constraint trigger audited
after insert or delete
or update of name, description, domain, threshold, at_precision, gap, rows, version
on lookup.lookup_table
deferrable initially deferred
for each row execute function audit.record_change('name');

drop trigger if exists audited on lookup.curation;
create constraint trigger audited
after insert or update or delete on lookup.curation
deferrable initially deferred
for each row execute function audit.record_change('name');
