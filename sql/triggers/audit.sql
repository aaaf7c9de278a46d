-- Creates the triggers of the audited tables. Each line of the list contains the table, the changes that are recorded,
-- the condition, and the arguments of audit.record_change: the column with the name of a row, the columns with secret
-- values, and the columns that are recorded (empty: all).
-- A constraint trigger cannot be replaced, only dropped and created. Pending events run first, because PostgreSQL does
-- not drop a trigger with pending events.
set constraints all immediate;

create or replace trigger record_kept
before update or delete on audit.record
for each row execute function audit.refuse_change();

create or replace trigger record_not_emptied
before truncate on audit.record
for each statement execute function audit.refuse_change();

drop trigger if exists removal_audited on catalog.origin;
create constraint trigger removal_audited
after update of status on catalog.origin
deferrable initially deferred
for each row when ((old.status = 'removed') <> (new.status = 'removed'))
execute function audit.record_change('name');

do $do$
declare
    v_audited record;
    v_table regclass;
begin
    for v_audited in
        select t.*
        from (
            values
            ('policy.principal'::regclass, 'insert or update or delete', '', '{name}'::text[]),
            (
                'policy.api_key'::regclass,
                'insert or delete or update of principal_id, label, prefix, key_hash, expires_at, revoked_at',
                '', '{prefix,key_hash}'
            ),
            ('policy.identity'::regclass, 'insert or delete or update of issuer, subject, principal_id', '', '{subject}'),
            -- A refresh writes its results into the same row. The columns with these results are not audited, because
            -- the refresh log contains them.
            (
                'catalog.origin'::regclass,
                'insert or delete or update of name, slug, transport, command, url, cwd, environment, headers, '
                'auth_reference, tls, approval, auth',
                '', '{name}'
            ),
            -- Decisions about items are audited, whether people or the scan made them. Changes to the definition of an
            -- item are not audited, because they are stored as versions.
            (
                'catalog.item'::regclass,
                'update of status, approved_version, downrank',
                'when (old.status is distinct from new.status'
                ' or old.approved_version is distinct from new.approved_version'
                ' or old.downrank is distinct from new.downrank)',
                array['public_name', '', 'kind,status,status_reason,version,approved_version,downrank,downrank_reason']
            ),
            ('catalog.allowance'::regclass, 'insert or update or delete', '', '{value}'),
            ('catalog.repair'::regclass, 'insert or delete', '', '{tool}'),
            -- Agents make proposals, as many as they like: only what people decide is audited.
            ('catalog.phrase_proposal'::regclass, 'update of is_approved', '', '{id}'),
            ('policy.organisation'::regclass, 'insert or update or delete', '', '{name}'),
            ('policy.rule_version'::regclass, 'insert or update or delete', '', '{id}'),
            -- Rules and matchers never change. The audit record of a version or toolset contains the rules and matchers
            -- that belong to it.
            ('policy.rule'::regclass, 'update or delete', '', '{position}'),
            ('policy.matcher'::regclass, 'update or delete', '', '{id}'),
            ('policy.toolset'::regclass, 'insert or update or delete', '', '{name}'),
            ('projects.project'::regclass, 'insert or update or delete', '', '{name}'),
            ('projects.member'::regclass, 'insert or update or delete', '', '{project_id}'),
            ('projects.invitation'::regclass, 'insert or update or delete', '', '{name}'),
            ('search.teaching'::regclass, 'insert or update or delete', '', '{id}'),
            ('search.model'::regclass, 'insert or update or delete', '', '{name}'),
            ('selection.mode'::regclass, 'insert or update or delete', '', '{name}'),
            ('selection.canary'::regclass, 'insert or update or delete', '', '{mode}'),
            (
                'snapshots.snapshot'::regclass, 'insert or delete or update', '',
                array['name', '', 'name,note,rule_version_id,origins,items,content_hash,public_key,artifact_hash']
            ),
            ('snapshots.activation'::regclass, 'insert', '', '{id}'),
            ('core.setting'::regclass, 'insert or update or delete', '', '{name}')
        ) as t (on_table, changes, condition, arguments)
    loop
        execute format('drop trigger if exists audited on %s', v_audited.on_table);
        execute format(
            'create constraint trigger audited after %s on %s deferrable initially deferred for each row %s'
            ' execute function audit.record_change(%s)',
            v_audited.changes, v_audited.on_table, v_audited.condition,
            (select string_agg(quote_literal(g.argument), ', ' order by g.place) from unnest(v_audited.arguments) with ordinality as g (argument, place))
        );
    end loop;
    foreach v_table in array '{policy.principal,policy.api_key,catalog.origin}'::regclass[] loop
        execute format(
            'create or replace trigger emptying_audited after truncate on %s'
            ' for each statement execute function audit.record_change()', v_table
        );
    end loop;
end
$do$;
