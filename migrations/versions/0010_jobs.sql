-- What is done again and again, and the log of it.

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
comment on table jobs.job is 'What is done again and again: one row a job.';
comment on column jobs.job.every is 'From one start to the next.';
comment on column jobs.job.routine is 'Function without arguments that does it in the database and returns what it did as JSON object.';
comment on column jobs.job.next_at is 'When it is due; a job that was missed several times is done once.';

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
comment on table jobs.run is 'What each run of a job did, or why it failed.';
comment on column jobs.run.late_by is 'How long after it was due it began.';
create index run_job_idx on jobs.run (job, started_at desc);
