-- What lookups need: settings and jobs. If somebody has changed a value, the change is kept.
insert into core.setting (name, value, description)
values
('lookup.max_batch', '1000', 'Maximum number of queries in one batch of lookups.'),
(
    'lookup.keep', '"30 days"',
    'Lifetime of receipts (records) of lookups; "0": they are kept forever.'
),
(
    'lookup.gold_pairs', '500',
    'Maximum number of gold pairs (strings whose right rows are known) in one run of the job '
    'evaluate_lookups.'
),
(
    'lookup.fall', '0.02',
    'If the search quality of a lookup table (Recall@5 or MRR) falls by more than this between '
    'two runs, a warning is logged.'
)
on conflict (name) do update
    set description = excluded.description;

select jobs.put_job(seed.name, seed.description, seed.every, seed.routine)
from (
    values
    (
        'evaluate_lookups',
        'Measures how often lookup tables return the right rows. Warns if the results are worse.',
        interval '7 days', 'lookup.evaluate_all'
    ),
    (
        'refresh_lookups', 'Reads changes from the tables that lookup tables use as sources.',
        interval '1 minute', 'lookup.refresh_all'
    )
) as seed (name, description, every, routine);
