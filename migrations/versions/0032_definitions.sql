-- What an origin says of itself is trusted as its tools are: an asset of the kind instructions, in place of a column that nobody scanned.
-- Processes tell what they are installing, so that a search can say that more is on its way. Snapshots have tools and assets in one list.
-- One transaction with the service stopped or waiting, so locks are no risk; callers of the dropped are changed with it.
-- squawk-ignore-file ban-drop-column, ban-drop-constraint, ban-drop-function, constraint-missing-not-valid
alter table catalog.asset
drop constraint asset_kind_check,
add constraint asset_kind_check check (
    kind in ('resource', 'resource_template', 'prompt', 'instructions')
);
comment on table catalog.asset is
'What origins offer beside tools: resources, templates of resources, prompts; and what an origin says of itself (instructions).';

alter table catalog.origin drop column instructions;

drop function if exists api.heartbeat(uuid, text, text, integer, boolean);
drop function if exists catalog.judge_tools(jsonb, boolean);
drop function if exists snapshots.asset_differences(bigint, bigint);
drop function if exists snapshots.differences(bigint, bigint);
drop function if exists snapshots.offered_assets();
drop function if exists snapshots.offered();
alter table core.instance add column installing integer not null default 0
check (installing >= 0);
comment on column core.instance.installing is 'How many servers it is putting in place, which will be origins then.';
