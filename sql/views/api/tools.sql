create or replace view api.tools with (security_invoker = true) as
select
    t.name,
    t.origin,
    t.brief,
    t.status,
    t.is_read_only,
    t.is_destructive,
    t.version,
    t.changed_at,
    t.reason
from api.tools() as t;
comment on view api.tools is
'Tools that you may use. Operators also see tools that are waiting for approval, are in quarantine or were taken out '
'of use. Example: `select name, brief from tools limit 5;`';
comment on column api.tools.name is 'The name by which the tool is called, such as time__get_current_time.';
comment on column api.tools.origin is 'The origin (server) that offers the tool; see the view origins.';
comment on column api.tools.brief is
'The first sentence of the description. describe_tool returns the whole definition.';
comment on column api.tools.status is
'approved (it can be found and used), pending (it waits for approval), quarantined or deprecated (taken out of use by '
'an operator).';
comment on column api.tools.is_read_only is 'Whether the tool only reads, by its annotations.';
comment on column api.tools.is_destructive is
'Whether the tool can destroy something, by its annotations; true if they do not say so.';
comment on column api.tools.version is 'The newest version of the definition.';
comment on column api.tools.changed_at is 'The time when the tool got its status.';
comment on column api.tools.reason is 'Why the tool has its status; empty if nobody gave a reason.';
grant select on api.tools to qm_user;
