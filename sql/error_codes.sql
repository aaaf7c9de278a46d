-- The error registry: SQLSTATE QM<status>, slug in the constraint field, next_step as hint. One row a slug; unknown slugs go.
with registry (slug, status, retryable, meaning, next_step) as (
    values
    (
        'goal_empty', 422, false,
        'The goal holds no text.',
        'Say in a few words what you want to do, for example: what time is it in Tokyo.'
    ),
    (
        'goal_too_long', 413, false,
        'The goal is longer than the setting goal.max_length allows.',
        'Send the task in a few sentences instead of whole documents.'
    ),
    (
        'mode_unknown', 422, false,
        'There is no such mode.',
        'Use one of: select name from selection.mode.'
    ),
    (
        'kind_invalid', 422, false,
        'A kind of card names a function or an error that is not there.',
        'Make it first, or name another one in the kind''s own file of sql/kinds.'
    ),
    (
        'argument_invalid', 422, false,
        'An argument is outside its range.',
        'See the comment of the function for the range: \df+ in psql.'
    ),
    (
        'profile_invalid', 422, false,
        'A mode of the settings file is incomplete or out of range.',
        'Compare it with the default settings file.'
    ),
    (
        'scoring_invalid', 422, false,
        'Weights of the learned score cannot be used.',
        'Learn them with: qm eval fit.'
    ),
    (
        'card_not_found', 404, false,
        'No card has this name, or it is hidden from you.',
        'Search for it with search_cards, or list the cards of the kind.'
    ),
    (
        'receipt_not_found', 404, false,
        'No receipt of yours has this number and offered this card.',
        'Use the receipt that search_cards returned with the card.'
    ),
    (
        'kind_not_found', 404, false,
        'There is no such kind of card.',
        'List kinds with: select name from search.kind.'
    ),
    (
        'card_invalid', 422, false,
        'A card lacks a required member.',
        'Each card needs ref, name and at least one field.'
    ),
    (
        'tool_not_found', 404, false,
        'There is no such tool, or you may not see it.',
        'Search for it with search_tools.'
    ),
    (
        'tool_withheld', 409, false,
        'The tool changed, is new, or looks dangerous, and nobody has approved it yet.',
        'Use another tool, or ask an operator: qm tool diff NAME, then qm tool approve NAME.'
    ),
    (
        'tool_version_not_found', 404, false,
        'The tool has no such version.',
        'See its versions with: qm tool show NAME.'
    ),
    (
        'tool_changed', 409, false,
        'The tool is not at the version that was looked at any more.',
        'Look at what changed with: qm tool diff NAME.'
    ),
    (
        'tool_not_probeable', 409, false,
        'Only connected tools that read only and give examples are run unasked.',
        'See its annotations with: qm tool show NAME. Run it yourself: qm call NAME JSON.'
    ),
    (
        'approval_invalid', 422, false,
        'An approval says which tools of an origin wait: none, changes or all.',
        'Use none, changes or all, or leave it out for the setting catalog.approval.'
    ),
    (
        'tools_invalid', 422, false,
        'The batch of tools is not a JSON array of objects.',
        'Send an array of tool definitions.'
    ),
    (
        'origin_not_found', 404, false,
        'There is no such origin.',
        'List origins with: qm origin list.'
    ),
    (
        'origin_exists', 409, false,
        'An origin of this name exists already.',
        'Choose another name, or replace it with: qm origin add --replace.'
    ),
    (
        'origin_invalid', 422, false,
        'The definition of an origin is incomplete.',
        'Give a command for stdio, or a URL for http and sse.'
    ),
    (
        'origin_not_callable', 409, false,
        'The origin is a catalog entry without a connection.',
        'Connect it with: qm origin add NAME --replace --url URL (or a command).'
    ),
    (
        'refresh_not_found', 404, false,
        'There is no such refresh, or it is not running.',
        'Request one with: qm origin refresh NAME.'
    ),
    (
        'asset_not_found', 404, false,
        'There is no such resource, template or prompt.',
        'List them with: qm asset list.'
    ),
    (
        'asset_ambiguous', 409, false,
        'Assets of several kinds have this name.',
        'Say which with: --kind resource, resource_template, prompt or instructions.'
    ),
    (
        'asset_changed', 409, false,
        'The resource, template or prompt changed after it was looked at.',
        'Look at it again with: qm asset show NAME.'
    ),
    (
        'asset_withheld', 409, false,
        'It changed, is new, or looks dangerous, and nobody has approved it yet.',
        'Use another one, or ask an operator: qm asset show NAME, then qm asset approve NAME.'
    ),
    (
        'assets_invalid', 422, false,
        'The list of resources, templates or prompts is not one.',
        'Give the kind, and a JSON array of definitions.'
    ),
    (
        'card_ambiguous', 409, false,
        'Items of several kinds have this name.',
        'Say which kind is meant.'
    ),
    (
        'card_changed', 409, false,
        'The item changed after it was looked at.',
        'Look at what changed with: qm card diff NAME.'
    ),
    (
        'card_withheld', 409, false,
        'The item changed, is new, or looks dangerous, and nobody has approved it yet.',
        'Use another one, or ask an operator: qm card diff NAME, then qm card approve NAME.'
    ),
    (
        'card_version_not_found', 404, false,
        'The item has no such version.',
        'Leave the version out: the newest one is compared with the approved one.'
    ),
    (
        'cards_invalid', 422, false,
        'The batch of definitions is not a JSON array of objects.',
        'Send an array of definitions of one kind.'
    ),
    (
        'record_invalid', 422, false,
        'A record of a call, written while the database was away, names what is not there.',
        'The process keeps it in spool/refused.txt; the others are handed in.'
    ),
    (
        'call_not_found', 404, false,
        'There is no such pending call.',
        'Begin a call with api.call_begin.'
    ),
    (
        'model_not_found', 404, false,
        'There is no such embedding model.',
        'List models with: qm model list.'
    ),
    (
        'model_incomplete', 409, false,
        'Texts have no vector of this model yet.',
        'Wait for the service to embed them (qm model list), or switch at once with --force.'
    ),
    (
        'model_active', 409, false,
        'Goals are answered by this model.',
        'Switch to another one first: qm model use NAME.'
    ),
    (
        'model_conflict', 409, false,
        'The model exists with another dimension.',
        'Register the changed model under a new name.'
    ),
    (
        'reranker_missing', 501, false,
        'This database cannot rerank: PL/Python or a reranker is missing.',
        'Set reranker in the settings and start the service, or let the service rerank: qm search.'
    ),
    (
        'dimension_mismatch', 422, false,
        'A vector has another dimension than its model.',
        'Embed with the model named; see search.model.'
    ),
    (
        'principal_unknown', 403, false,
        'The session is not mapped to an enabled principal.',
        'Ask an administrator to map your database role: qm principal map-role NAME ROLE.'
    ),
    (
        'organisation_not_found', 404, false,
        'There is no such organisation.',
        'List organisations with: select * from api.list_organisations().'
    ),
    (
        'organisation_invalid', 422, false,
        'The name of an organisation cannot be used.',
        'Choose a short name.'
    ),
    (
        'snapshot_damaged', 409, false,
        'A snapshot is not as it was written, so the catalog is not taken back to it.',
        'Run qm snapshot verify NAME, and take another one.'
    ),
    (
        'snapshot_exists', 409, false,
        'There is a snapshot of this name already.',
        'Take another name, or qm snapshot drop it first.'
    ),
    (
        'snapshot_not_found', 404, false,
        'There is no snapshot of this name.',
        'List the snapshots with: qm snapshot list.'
    ),
    (
        'snapshot_sealed', 409, false,
        'A snapshot is sealed once.',
        'Make a new one with: qm snapshot create NAME.'
    ),
    (
        'rules_invalid', 422, false,
        'A set of rules cannot be read.',
        'Correct the rule that is named; qm policy show prints a set that is right.'
    ),
    (
        'rules_not_found', 404, false,
        'There is no such version of the rules.',
        'List versions with: qm policy list.'
    ),
    (
        'rules_pinned', 409, false,
        'The active version of the rules is pinned.',
        'Unpin it first, if it is right to replace it: qm policy unpin.'
    ),
    (
        'toolset_not_found', 404, false,
        'There is no such toolset.',
        'List toolsets with: qm toolset list.'
    ),
    (
        'toolset_invalid', 422, false,
        'A toolset cannot be made of this.',
        'Pin origins, tools, names, categories or kinds: {"tools": ["time__*"]}.'
    ),
    (
        'key_invalid', 401, false,
        'The key is unknown, expired or revoked.',
        'Use the token in run.json, or ask an administrator for a key.'
    ),
    (
        'key_not_found', 404, false,
        'There is no such key.',
        'List keys with: qm key list.'
    ),
    (
        'key_label_taken', 409, false,
        'The principal has a live key of this label.',
        'Choose another label, or replace the key with: qm key create --replace.'
    ),
    (
        'principal_not_found', 404, false,
        'There is no such principal.',
        'List principals with: qm principal list.'
    ),
    (
        'principal_exists', 409, false,
        'There is a principal of this name, or of this subject, already.',
        'Choose another name; qm principal list shows who is there.'
    ),
    (
        'principal_is_self', 409, false,
        'Nobody can keep out themselves.',
        'Let another administrator do it.'
    ),
    (
        'subject_unknown', 403, false,
        'The subject of the token is not bound to an enabled principal.',
        'Ask an administrator: qm principal bind NAME SUBJECT, or set auth.oidc.create_principals.'
    ),
    (
        'database_role_not_found', 404, false,
        'There is no such login role on the database server.',
        'Create it there first: create role NAME login.'
    ),
    (
        'database_role_taken', 409, false,
        'The login role is mapped to another principal.',
        'Unmap that one first: qm principal map-role OTHER --none.'
    ),
    (
        'audit_append_only', 409, false,
        'Audit records are never changed.',
        'Old ones go by whole months: qm audit keep MONTHS.'
    ),
    (
        'audit_head_unknown', 409, false,
        'The record to be signed is not in the audit chain.',
        'Verify the chain: qm audit verify.'
    ),
    (
        'key_conflict', 409, false,
        'The key was registered before, under another label or principal, or was revoked.',
        'Make a new key. For the token of run.json: remove "token" from credentials.json.'
    ),
    (
        'evaluation_invalid', 422, false,
        'The measurements of an evaluation are incomplete.',
        'Send them as qm eval run does: one object a query, each id once.'
    ),
    (
        'evaluation_not_found', 404, false,
        'There is no such evaluation.',
        'List evaluations with: qm eval list.'
    ),
    (
        'evaluations_unlike', 422, false,
        'Two evaluations share no query, so they cannot be compared.',
        'Compare runs over the same file of queries.'
    ),
    (
        'job_not_found', 404, false,
        'There is no job of this name.',
        'List the jobs with: qm job list.'
    ),
    (
        'job_running', 409, true,
        'A job runs just now in another session.',
        'Wait until it is done; qm job log shows what it did.'
    ),
    (
        'key_hash_invalid', 422, false,
        'A key is registered as its SHA-256 digest, 32 bytes.',
        'Hash the key before handing it over.'
    ),
    (
        'unsupported_table', 404, false,
        'There is no lookup table of this name that you may see.',
        'List them with lookup_tables, or qm lookup list.'
    ),
    (
        'lookup_row_not_found', 404, false,
        'The lookup table has no row of this id that you may see.',
        'Look for it with search_lookup, or by its name.'
    ),
    (
        'lookup_rows_invalid', 422, false,
        'A row of a lookup table is none; nothing was loaded.',
        'Mend the line and load again. A row has an id of its own and a value.'
    ),
    (
        'lookup_source_invalid', 422, false,
        'A lookup table cannot lie over this table: it or a column is not there, or not granted.',
        'Do what the hint says; the rows of the last refresh stay until then.'
    ),
    (
        'lookup_in_place', 409, false,
        'The lookup table lies over another table, which its rows come from.',
        'Change the rows there; qm lookup refresh reads them.'
    ),
    (
        'lookup_not_in_place', 409, false,
        'The lookup table lies over no other table.',
        'Load it: qm lookup load TABLE FILE.'
    ),
    (
        'lookup_has_rows', 409, false,
        'A lookup table with rows of its own cannot lie over another table.',
        'Drop it first, or take another name.'
    ),
    (
        'query_empty', 422, false,
        'The query to a lookup table holds no text.',
        'Send the string to look up.'
    ),
    (
        'query_too_long', 413, false,
        'The query to a lookup table has more than 1,000 characters.',
        'Send the name alone, not the text around it.'
    ),
    (
        'property_unknown', 422, false,
        'No row of the lookup table has the property.',
        'lookup_tables() says which there are.'
    ),
    (
        'curator_required', 403, false,
        'Lookup tables are curated by curators, operators and administrators.',
        'Ask an administrator: qm principal curator NAME.'
    ),
    (
        'alias_exists', 409, false,
        'The row has the name already.',
        'Nothing is to be done.'
    ),
    (
        'alias_not_curated', 404, false,
        'No curator has given the row this name.',
        'List what curators have said with list_curations; a name of the source is changed there.'
    ),
    (
        'row_retired', 409, false,
        'A curator has retired the row.',
        'Bring it back with restore_row.'
    ),
    (
        'row_not_retired', 409, false,
        'No curator has retired the row.',
        'Where its source says that it is inactive, change it there.'
    ),
    (
        'batch_too_large', 413, false,
        'The batch has more queries than the setting lookup.max_batch.',
        'Send it in parts.'
    ),
    (
        'idempotency_key_reused', 422, false,
        'The idempotency key was given with other arguments before.',
        'Take a new key for a new call; repeat a call with exactly its own arguments.'
    ),
    (
        'call_in_progress', 409, false,
        'A call with the same idempotency key is under way.',
        'Send the call again in a moment with the same key: then its answer is there.'
    ),
    (
        'call_outcome_unknown', 409, false,
        'A call with the same idempotency key was made, and its answer was not kept.',
        'Find out whether it had its effect, then call with a new key if need be.'
    ),
    (
        'terms_invalid', 422, false,
        'What is to hold of a tool''s calls is not possible.',
        'See the members with: qm tool terms --help.'
    ),
    (
        'result_not_kept', 413, false,
        'The result is too large to be kept for reading in pages.',
        'Ask the tool for less, or raise the setting answer.largest.'
    ),
    (
        'result_not_found', 404, false,
        'There is no such result, or it is no longer kept.',
        'Call the tool again.'
    )
),

gone as (
    delete from core.error_code as e
    where not exists (select from registry as r where r.slug = e.slug)
)

insert into core.error_code (slug, status, meaning, next_step, retryable)
select
    r.slug,
    r.status,
    r.meaning,
    r.next_step,
    r.retryable
from registry as r
on conflict (slug) do update
    set
        status = excluded.status,
        meaning = excluded.meaning,
        next_step = excluded.next_step,
        retryable = excluded.retryable;
