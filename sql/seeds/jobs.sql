-- The jobs. If an operator has changed an interval or disabled a job, that change is kept. Each job
-- first runs
-- after one interval.
insert into jobs.job (name, description, every, routine, next_at)
select
    seed.*,
    now() + seed.every as next_at
from (
    values
    (
        'learn',
        'Links searches to the calls that followed, counts both, and updates how tools are ranked '
        'by their calls.',
        interval '5 minutes', 'selection.learn_all'
    ),
    (
        'refresh', 'Reads the lists of items of every connected origin again.',
        interval '24 hours', 'catalog.refresh_all'
    ),
    (
        'snapshot', 'Takes a snapshot of the catalog if it has changed.',
        interval '24 hours', 'snapshots.make_regular'
    ),
    (
        'forget',
        'Deletes calls and records of searches (receipts) that are older than the settings '
        'call.keep and receipt.keep allow.',
        interval '24 hours', 'selection.forget'
    ),
    (
        'tend', 'Creates partitions of the call log, and deletes expired answers.',
        interval '1 hour', 'calls.tend'
    ),
    (
        'retain', 'Deletes audit records from months that are older than qm audit keep allows.',
        interval '24 hours', 'audit.retain'
    )
) as seed (name, description, every, routine)
on conflict (name) do update
    set description = excluded.description, routine = excluded.routine;
