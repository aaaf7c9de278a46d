-- The jobs of the core.
select jobs.put_job(seed.name, seed.description, seed.every, seed.routine)
from (
    values
    (
        'learn',
        'Links searches to the calls that followed, counts both, and updates how tools are ranked '
        'by their calls.',
        interval '5 minutes', 'selection.learn_all'
    ),
    (
        'hints', 'Updates the words by which clients with a search of their own find tools.',
        interval '24 hours', 'selection.refresh_hints'
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
) as seed (name, description, every, routine);
