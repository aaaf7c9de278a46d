-- The errors of this domain.
insert into core.error_code (slug, status, retryable, meaning, next_step)
values
(
    'unsupported_table', 404, false,
    'This lookup table does not exist, or you may not see it.',
    'List the lookup tables with lookup_tables or qm lookup list.'
),
(
    'lookup_row_not_found', 404, false,
    'The lookup table does not have this row, or you may not see it.',
    'Search for the name of the row with search_lookup or qm lookup search.'
),
(
    'lookup_rows_invalid', 422, false,
    'A row in the lookup table is not valid; nothing was loaded.',
    'Correct the line, and load the file again. Each row needs a value and a unique id.'
),
(
    'lookup_source_invalid', 422, false,
    'The table or one of its columns is missing, or Quartermaster has no right to read it.',
    'Correct the table or grant the right. Until then, the rows from the last refresh are kept.'
),
(
    'lookup_in_place', 409, false,
    'The rows of this lookup table come from another table.',
    'Change the rows in that table; qm lookup refresh then reads them.'
),
(
    'lookup_removes_many', 409, false,
    'More than a tenth of the rows of this lookup table would be removed.',
    'Load a complete file. To keep the rows that are not in the file, use --keep. To remove '
    'these rows, use --yes.'
),
(
    'lookup_not_in_place', 409, false,
    'This lookup table does not read from another table.',
    'Load rows with: qm lookup load TABLE FILE.'
),
(
    'lookup_has_rows', 409, false,
    'A lookup table that has rows of its own cannot read from another table.',
    'Drop the lookup table first, or choose another name.'
),
(
    'query_empty', 422, false,
    'The query has no text.',
    'Send the string to look up.'
),
(
    'query_too_long', 413, false,
    'The query is longer than 1,000 characters.',
    'Send the name alone, not the text around it.'
),
(
    'property_unknown', 422, false,
    'No row in the lookup table has this property.',
    'List the properties of each table with lookup_tables or qm lookup list --json.'
),
(
    'alias_exists', 409, false,
    'The row already has this name.',
    'Nothing needs to be done.'
),
(
    'alias_not_curated', 404, false,
    'No curator added this name to the row.',
    'Change other names in the source; qm lookup curations lists the names that curators added.'
),
(
    'row_retired', 409, false,
    'A curator has retired this row.',
    'Bring the row back with: qm lookup restore TABLE ID.'
),
(
    'row_not_retired', 409, false,
    'No curator has retired this row.',
    'If the source marks the row as inactive, change the source.'
),
(
    'batch_too_large', 413, false,
    'The batch contains more queries than the setting lookup.max_batch allows.',
    'Send the queries in several batches.'
);

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
