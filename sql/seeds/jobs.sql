-- Jobs; how often they run, and whether, is kept where an operator changed it. The first runs come
-- after a whole interval.
insert into jobs.job (name, description, every, routine, next_at)
select
    seed.name,
    seed.description,
    seed.every,
    seed.routine,
    now() + seed.every as next_at
from (
    values
    (
        'learn', 'Joins selections to calls, counts both, and renews the utility of tools.',
        interval '5 minutes', 'selection.learn_all'
    ),
    (
        'refresh', 'Reads the tools of every connected origin again.',
        interval '24 hours', 'catalog.refresh_all'
    ),
    (
        'snapshot', 'Keeps the catalog as it is, if it has changed.',
        interval '24 hours', 'snapshots.make_regular'
    ),
    (
        'forget', 'Deletes calls and receipts that are older than call.keep and receipt.keep.',
        interval '24 hours', 'selection.forget'
    ),
    (
        'tend', 'Makes the days of the call log, and deletes kept answers that have expired.',
        interval '1 hour', 'calls.tend'
    ),
    (
        'retain', 'Drops whole months of audit records, older than qm audit keep says.',
        interval '24 hours', 'audit.retain'
    ),
    (
        'evaluate_lookups', 'Asks lookup tables their gold pairs; warns where one has fallen.',
        interval '7 days', 'lookup.evaluate_all'
    ),
    (
        'refresh_lookups', 'Reads what has changed in tables that lookup tables lie over.',
        interval '1 minute', 'lookup.refresh_all'
    )
) as seed (name, description, every, routine)
on conflict (name) do update
    set description = excluded.description, routine = excluded.routine;
