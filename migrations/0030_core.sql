-- Hooks: functions of kinds that the core calls. And the parts of an answer of api.start_task.
-- squawk-ignore-file prefer-robust-stmts

create table core.hook_point (
    name text collate core.c_utf8 primary key,
    arguments text collate core.c_utf8 not null,
    returns text collate core.c_utf8 not null,
    description text collate core.c_utf8 not null
);
alter table core.hook_point enable row level security, force row level security;
comment on table core.hook_point is 'What the functions of kinds can be called for. The core calls them and knows no kind.';
comment on column core.hook_point.arguments is 'Types of the arguments, as in pg_get_function_identity_arguments without names.';
comment on column core.hook_point.returns is 'Type of what the function returns, as in pg_get_function_result.';

create table core.hook (
    point text collate core.c_utf8 not null references core.hook_point on delete cascade,
    function text collate core.c_utf8 not null,
    place integer not null default 0,
    primary key (point, function)
);
alter table core.hook enable row level security, force row level security;
comment on table core.hook is 'The functions that are called at a hook point (core.put_hook). Each installation registers them again.';
comment on column core.hook.function is 'Name of the function with its schema.';
comment on column core.hook.place is 'Functions with a lower place are called first; those of the same place by their names.';

create type selection.task as (
    goal text,
    meant text,
    project_id integer,
    project text,
    paths text [],
    cards integer,
    context_share real,
    vector ext.vector,
    session text
);
comment on type selection.task is
'What somebody begins (api.start_task). Members: goal: the goal; meant: the goal, with the recent context if the goal refers to '
'it; project_id and project: id and OWNER/NAME of the project (null: none is known); paths: files below the root of the '
'project; cards: how many cards of a kind are wanted; context_share: weight of the recent context in the vector, from 0 to '
'1; vector: unit vector of what is meant (null: none could be computed); session: id of the client''s session.';

create table selection.task_part (
    name text collate core.c_utf8 primary key,
    place integer not null,
    function text collate core.c_utf8 not null,
    needs_project boolean not null,
    is_ranked boolean not null,
    kinds text[] collate core.c_utf8 not null,
    floor_setting text collate core.c_utf8,
    best_setting text collate core.c_utf8
);
alter table selection.task_part enable row level security, force row level security;
comment on table selection.task_part is
'The parts of an answer of api.start_task (selection.put_task_part). Each installation registers them again.';
comment on column selection.task_part.place is 'Order in which the parts are asked for. Time may run out before the last ones.';
comment on column selection.task_part.function is
'Name of the function that returns the part. Its argument is a selection.task; it returns a JSON array of rows with the members name, '
'text and score, and, if there are any, receipt and note_of.';
comment on column selection.task_part.needs_project is 'Whether the part is asked for only if a project is known.';
comment on column selection.task_part.is_ranked is
'Whether the rows follow all others by their probability; otherwise they come first, in the order of the parts.';
comment on column selection.task_part.kinds is 'The kinds of cards that are searched. It is said if some of them have no vector yet.';
comment on column selection.task_part.floor_setting is 'Setting with the lowest score of a row (null: none).';
comment on column selection.task_part.best_setting is 'Setting with the lowest score of the best row; without it, no row is told (null: none).';
