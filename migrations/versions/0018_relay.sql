-- What is relayed beside tools: resources, resource templates and prompts of origins, and their reads in the call log.
-- One transaction with the service stopped or waiting, so locks are no risk.
-- squawk-ignore-file constraint-missing-not-valid, require-concurrent-index-creation, adding-foreign-key-constraint, ban-drop-not-null
create table catalog.asset (
    id bigint generated always as identity primary key,
    origin_id bigint not null references catalog.origin,
    kind text not null check (kind in ('resource', 'resource_template', 'prompt')),
    name text not null check (name <> '' and length(name) <= 2000),
    public_name text not null,
    definition jsonb not null check (jsonb_typeof(definition) = 'object'),
    content_hash bytea not null,
    rights_class integer not null default 0,
    first_seen_at timestamptz not null,
    deprecated_at timestamptz,
    constraint asset_name_key unique (origin_id, kind, name),
    constraint asset_public_name_key unique (kind, public_name)
);
comment on table catalog.asset is 'What origins offer beside tools: resources, templates of resources, prompts.';
comment on column catalog.asset.name is 'As its origin names it: a URI, a URI template, the name of a prompt.';
comment on column catalog.asset.public_name is 'Under which clients of the whole catalog know it: origin__prompt; a URI as it is, with the prefix of its origin where another origin had it before. What was given once is never changed.';
comment on column catalog.asset.definition is 'As listed by the origin.';
comment on column catalog.asset.rights_class is 'Number in policy.rights_class, kept by catalog.classify_assets.';
comment on column catalog.asset.deprecated_at is 'Since when the origin no longer lists it.';

alter table catalog.asset enable row level security;
alter table catalog.asset force row level security;

alter table calls.call
add column method text not null default 'tools/call',
add column origin_id bigint references catalog.origin,
add column target text,
alter column tool_id drop not null,
alter column tool_version drop not null,
add constraint call_has_its_object check (
    case method
        when 'tools/call' then tool_id is not null and tool_version is not null
        else origin_id is not null and target is not null
    end
);
create index call_origin_idx on calls.call (origin_id, started_at desc);
comment on column calls.call.method is 'What was relayed: tools/call, or a read of another kind.';
comment on column calls.call.origin_id is 'Of what is no tool call; a tool tells its origin itself.';
comment on column calls.call.target is 'Of what is no tool call: the URI, or the name of the prompt, as its origin knows it.';
