-- Nobody becomes a member of a project without being asked, except principals that the inviter created. Who is a member
-- already stays one.

-- There are few principals.
-- squawk-ignore-file adding-foreign-key-constraint
alter table policy.principal
add column created_by bigint references policy.principal on delete set null;
-- squawk-ignore require-concurrent-index-creation
create index principal_created_by_idx on policy.principal (created_by);
comment on column policy.principal.created_by is
'The principal who created this principal, and who may therefore make it a member of projects without asking it. Null: '
'the installation or a token created it, or it is not known.';

create table projects.invitation (
    principal_id bigint not null references policy.principal on delete cascade,
    owner_id bigint not null references policy.principal on delete cascade,
    name text not null,
    role text not null check (role in ('member', 'owner')),
    invited_by bigint not null references policy.principal on delete cascade,
    invited_at timestamptz not null,
    declined_at timestamptz,
    primary key (principal_id, owner_id, name)
);
alter table projects.invitation enable row level security, force row level security;
create index invitation_owner_idx on projects.invitation (owner_id);
create index invitation_invited_by_idx on projects.invitation (invited_by);
comment on table projects.invitation is
'Invitations to projects. An invitation changes nothing for the invited principal until the principal accepts it.';
comment on column projects.invitation.owner_id is
'With the name, the project. This is not a foreign key: a declined invitation stays when the project is removed, so '
'that whoever adds the project again cannot ask again.';
comment on column projects.invitation.role is 'The role that the principal gets when it accepts the invitation.';
comment on column projects.invitation.declined_at is
'When the principal declined the invitation; null: the invitation is open. A declined invitation stays, so that nobody '
'can repeat it. The principal may still accept it.';

reset role;
-- The audit knows who created the principals of before, as far as its records reach back.
update policy.principal as p
set created_by = c.id
from audit.record as r
inner join policy.principal as c on c.id = r.principal_id
where
    r.table_name = 'policy.principal'
    and r.action = 'insert'
    and r.after ->> 'id' = p.id::text
    and c.id <> p.id;
set constraints all immediate; -- a table with pending triggers cannot be altered
set role qm_owner;

-- squawk-ignore ban-drop-function
drop function if exists api.list_notes(text);
-- squawk-ignore ban-drop-function
drop function if exists api.put_project_member(text, text, text);
-- squawk-ignore ban-drop-function
drop function if exists api.remove_project_member(text, text);
