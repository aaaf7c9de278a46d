-- Scheduled jobs and the log of their runs.

create schema jobs;

create table jobs.job (
    name text primary key check (name ~ '^[a-z][a-z_]{0,39}$'),
    description text not null check (description <> ''),
    every interval not null check (every >= interval '1 second'),
    enabled boolean not null default true,
    routine text not null check (routine ~ '^[a-z_]+[.][a-z_]+$'),
    next_at timestamptz not null default now()
);
alter table jobs.job enable row level security, force row level security;
comment on table jobs.job is 'Scheduled jobs. Each job has one row.';
comment on column jobs.job.every is 'Interval from one start to the next.';
comment on column jobs.job.routine is
'Function without arguments that does the work in the database and returns its result as a JSON object.';
comment on column jobs.job.next_at is
'The time at which the job is due next. A job that missed several runs runs only once.';

create table jobs.run (
    id bigint generated always as identity primary key,
    job text not null references jobs.job,
    started_at timestamptz not null,
    finished_at timestamptz not null check (finished_at >= started_at),
    late_by interval not null,
    result jsonb,
    failure text,
    constraint run_has_one_end check ((result is null) <> (failure is null))
);
alter table jobs.run enable row level security, force row level security;
comment on table jobs.run is 'The result of each run of a job, or why it failed.';
comment on column jobs.run.late_by is 'How long after the due time the run started.';
create index run_job_idx on jobs.run (job, started_at desc);
