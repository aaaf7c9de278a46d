-- A starter is an origin that the service has added by itself. It makes room for the user's own copy of its server.

alter table catalog.origin add column is_starter boolean not null default false;
-- There are few origins.
-- squawk-ignore adding-foreign-key-constraint
alter table catalog.origin add column replaced_by bigint references catalog.origin;
-- squawk-ignore require-concurrent-index-creation
create index origin_replaced_by_idx on catalog.origin (replaced_by);
comment on column catalog.origin.is_starter is
'Whether the service has added this origin by itself (a starter). A starter makes room for the user''s own copy of the '
'same server, and for every origin of its name.';
comment on column catalog.origin.replaced_by is
'The origin for which the starter of this name has made room, which may be this origin itself; null: the starter is '
'there, or there was none.';

reset role;
update catalog.origin
set is_starter = true
where
    transport = 'stdio'
    and status <> 'removed'
    and strpos(array_to_string(command, ' '), '/upstreams/' || name || '/') > 0;
set role qm_owner;

-- squawk-ignore ban-drop-function
drop function if exists api.add_origin(
    text, text, text[], text, text, text, jsonb, jsonb, text, jsonb, jsonb, boolean, jsonb, jsonb
);
