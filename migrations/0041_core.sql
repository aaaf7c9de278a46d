-- A file with rules can also contain repairs, so that they are versioned, tried and rolled back together.
alter table policy.rule_version add column repairs jsonb check (jsonb_typeof(repairs) = 'array');
comment on column policy.rule_version.repairs is
'All repairs that are current while this version is active, as [{origin, tool, ...}] with the changes of '
'catalog.repair.changes. Without tool, a repair applies to all tools of the origin. Null: the version says nothing '
'about repairs.';
comment on column catalog.repair.changes is
'JSON {name, title, brief, description, categories, examples, phrases, pinned, arguments: {ARGUMENT: {name, '
'description, default, hidden}}}. Members that are missing are as the origin lists them.';
