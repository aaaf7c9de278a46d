-- The error registry: one row for each slug. The SQLSTATE of an error is QM<status>, its constraint field contains the
-- slug, and its hint is next_step. Every installation deletes all rows first, so that only slugs from the present files
-- remain. Later files add the errors of kinds.
delete from core.error_code;
insert into core.error_code (slug, status, retryable, meaning, next_step)
values
(
    'goal_empty', 422, false,
    'The goal has no text.',
    'Write in a few words what you want to do or know.'
),
(
    'goal_too_long', 413, false,
    'The goal is longer than the setting goal.max_length allows.',
    'Describe the task in a few sentences instead of sending whole documents.'
),
(
    'mode_unknown', 422, false,
    'This mode does not exist.',
    'Use "fast", "balanced" or "thorough".'
),
(
    'kind_invalid', 422, false,
    'A kind of card names a function or an error that does not exist.',
    'Create the function or error first, or name another one in the kind''s file (sql/kinds).'
),
(
    'argument_invalid', 422, false,
    'An argument is outside its range.',
    'Use a value that the message allows.'
),
(
    'profile_invalid', 422, false,
    'A mode in the settings file is incomplete, or one of its values is out of range.',
    'Compare the mode with the default settings file.'
),
(
    'scoring_invalid', 422, false,
    'The weights of the learned score cannot be used.',
    'Learn new weights with: qm eval fit.'
),
(
    'card_not_found', 404, false,
    'No card has this name, or you may not see it.',
    'Search for cards with search_tools or qm card search.'
),
(
    'receipt_not_found', 404, false,
    'You have no receipt (record of a search) with this number, or it does not contain this card.',
    'To list your receipts: qm receipts list.'
),
(
    'proposal_not_found', 404, false,
    'No open proposal of phrases has this number, or a rule hides its tool.',
    'List the open proposals with: qm tool proposals.'
),
(
    'proposals_full', 409, false,
    'So many phrases that you proposed wait for a decision that you cannot propose more.',
    'Wait until somebody approves or declines some: qm tool proposals.'
),
(
    'teaching_not_found', 404, false,
    'No teaching has this number, or it belongs to another organisation.',
    'List teachings with: qm tool teachings.'
),
(
    'teachings_full', 409, false,
    'The organisation has as many teachings as the setting teaching.limit allows.',
    'Forget teachings that are no longer needed: qm tool teach --forget NUMBER.'
),
(
    'kind_not_found', 404, false,
    'This kind of card does not exist.',
    'To list the kinds and the number of cards of each: qm status.'
),
(
    'card_invalid', 422, false,
    'A card lacks a required member.',
    'Each card needs ref, name and at least one field.'
),
(
    'tool_not_found', 404, false,
    'This tool does not exist, or you may not see it.',
    'Search for tools with search_tools or qm search.'
),
(
    'tool_withheld', 409, false,
    'The tool is new, has changed or looks dangerous, and nobody has approved it yet.',
    'Use another tool, or ask an operator to run: qm tool diff NAME; qm tool approve NAME.'
),
(
    'tool_version_not_found', 404, false,
    'The tool has no version with this number.',
    'List the versions of the tool with: qm tool show NAME.'
),
(
    'tool_changed', 409, false,
    'The tool has changed since it was reviewed.',
    'Review the changes with: qm tool diff NAME.'
),
(
    'tool_not_probeable', 409, false,
    'Only a tool that is connected and read-only, and has examples, can be called as a probe.',
    'Show the annotations: qm tool show NAME. Run the tool yourself: qm call NAME JSON.'
),
(
    'approval_invalid', 422, false,
    'The approval setting of an origin must be "none", "changes" or "all".',
    'Use one of these values, or omit the value to use the setting catalog.approval.'
),
(
    'tools_invalid', 422, false,
    'The batch of tools must be a JSON array of objects.',
    'Send an array of tool definitions.'
),
(
    'origin_not_found', 404, false,
    'This origin does not exist, or you may not see it.',
    'List origins with: qm origin list.'
),
(
    'origin_exists', 409, false,
    'An origin with this name already exists.',
    'Choose another name, or replace it with: qm origin add --replace.'
),
(
    'origin_invalid', 422, false,
    'The definition of an origin is incomplete.',
    'Give a command for stdio, or a URL for http and sse.'
),
(
    'not_allowed', 403, false,
    'Only an administrator may let an origin use this program, variable, secret or network.',
    'Ask an administrator to run: qm origin allow.'
),
(
    'allowance_invalid', 422, false,
    'The program, variable, secret or network does not have a valid form.',
    'See: qm origin allow --help.'
),
(
    'allowance_not_found', 404, false,
    'No administrator has allowed this program, variable, secret or network.',
    'See: qm origin allowed.'
),
(
    'origin_not_callable', 409, false,
    'The origin is a catalog entry without a connection.',
    'Connect the origin with: qm origin add NAME --replace --url URL. For a local server, give '
    '--command PROGRAM '
    'instead of --url URL.'
),
(
    'refresh_not_found', 404, false,
    'This refresh does not exist, or it is not running.',
    'Request a new refresh with: qm origin refresh NAME.'
),
(
    'asset_not_found', 404, false,
    'This resource, template or prompt does not exist, or you may not see it.',
    'List these items with: qm asset list.'
),
(
    'asset_ambiguous', 409, false,
    'Items of several kinds have this name.',
    'Choose the kind with: --kind resource, resource_template, prompt or instructions.'
),
(
    'asset_changed', 409, false,
    'The resource, template or prompt has changed since it was reviewed.',
    'Review the item again with: qm asset show NAME.'
),
(
    'asset_withheld', 409, false,
    'The item is new, has changed or looks dangerous, and nobody has approved it yet.',
    'Use another item, or ask an operator to run: qm asset show NAME; qm asset approve NAME.'
),
(
    'assets_invalid', 422, false,
    'The batch of resources, templates or prompts must be a JSON array of objects.',
    'Give the kind of card, and a JSON array of definitions.'
),
(
    'card_ambiguous', 409, false,
    'Items of several kinds have this name.',
    'Give the kind as well as the name.'
),
(
    'card_changed', 409, false,
    'The item has changed since it was reviewed.',
    'Review the changes of the item with: qm card diff NAME.'
),
(
    'card_withheld', 409, false,
    'The item is new, has changed or looks dangerous, and nobody has approved it yet.',
    'Use another item, or ask an operator to run: qm card diff NAME; qm card approve NAME.'
),
(
    'card_version_not_found', 404, false,
    'The item has no version with this number.',
    'Omit the version to compare the newest version with the approved version.'
),
(
    'cards_invalid', 422, false,
    'The batch of definitions must be a JSON array of objects.',
    'Send an array of definitions of one kind.'
),
(
    'record_invalid', 422, false,
    'The record of a call during an outage names a principal, card or origin that does not exist.',
    'The service moves this record to spool/refused.txt and stores the other records.'
),
(
    'call_not_found', 404, false,
    'This call does not exist, or it is not pending.',
    'Call the tool again. A call can end only once, and only after it has begun.'
),
(
    'model_not_found', 404, false,
    'This embedding model does not exist.',
    'List models with: qm model list.'
),
(
    'model_incomplete', 409, false,
    'Some texts have no vector from this model yet.',
    'Wait until the service has embedded all texts (see qm model list), or use --force.'
),
(
    'model_active', 409, false,
    'Searches use this model, so it cannot be deleted.',
    'Switch to another model first: qm model use NAME.'
),
(
    'model_conflict', 409, false,
    'A model with this name is already registered with a different number of dimensions.',
    'Register your model under a new name.'
),
(
    'reranker_missing', 501, false,
    'This database cannot rerank: PL/Python or a reranker is missing.',
    'Set reranker in the settings and start the service, or let the service rerank: qm search.'
),
(
    'dimension_mismatch', 422, false,
    'A vector and its model have different numbers of dimensions.',
    'Use the model that the message names; qm model list shows the models.'
),
(
    'principal_unknown', 403, false,
    'The session has no enabled principal.',
    'Ask an administrator to map your database role: qm principal map-role NAME ROLE.'
),
(
    'service_required', 403, false,
    'Only the service may run this operation.',
    'Use the service, for example: qm call NAME JSON.'
),
(
    'organisation_not_found', 404, false,
    'This organisation does not exist.',
    'List organisations with: qm organisation list.'
),
(
    'organisation_invalid', 422, false,
    'This name cannot be used for an organisation.',
    'Choose a name of 1 to 200 characters.'
),
(
    'snapshot_damaged', 409, false,
    'The snapshot is damaged or was changed, so it was not activated.',
    'Check the snapshot with qm snapshot verify NAME, and activate another snapshot.'
),
(
    'snapshot_exists', 409, false,
    'A snapshot with this name already exists.',
    'Choose another name, or delete the old snapshot first: qm snapshot drop NAME.'
),
(
    'snapshot_not_found', 404, false,
    'No snapshot has this name.',
    'List the snapshots with: qm snapshot list.'
),
(
    'snapshot_sealed', 409, false,
    'The snapshot already has a signature, which cannot be replaced.',
    'Make a new snapshot with: qm snapshot create NAME.'
),
(
    'rules_invalid', 422, false,
    'The set of rules is not valid.',
    'Correct the rule that the message names; qm policy show prints a valid set.'
),
(
    'rules_not_found', 404, false,
    'The rules have no version with this number.',
    'List versions with: qm policy list.'
),
(
    'rules_pinned', 409, false,
    'The active version of the rules is pinned.',
    'To activate another version, unpin this version first: qm policy unpin.'
),
(
    'toolset_not_found', 404, false,
    'This toolset does not exist.',
    'List toolsets with: qm toolset list.'
),
(
    'toolset_invalid', 422, false,
    'The definition of the toolset is not valid.',
    'Choose origins, tools, names, categories or kinds, for example: {"tools": ["time__*"]}.'
),
(
    'key_invalid', 401, false,
    'The key is unknown, has expired or was revoked.',
    'Use the token in the file run.json, or ask an administrator for a key.'
),
(
    'key_not_found', 404, false,
    'This key does not exist.',
    'List keys with: qm key list.'
),
(
    'key_label_taken', 409, false,
    'The principal already has a valid key with this label.',
    'Choose another label, or replace the key with: qm key create --replace.'
),
(
    'principal_not_found', 404, false,
    'This principal does not exist.',
    'List principals with: qm principal list. Create one with: qm principal create NAME.'
),
(
    'principal_exists', 409, false,
    'A principal already has this name or this subject.',
    'Choose another name or subject; qm principal list shows the names and subjects in use.'
),
(
    'principal_is_self', 409, false,
    'You cannot disable yourself.',
    'Ask another administrator to disable you.'
),
(
    'subject_unknown', 403, false,
    'The subject of the token is not bound to an enabled principal.',
    'Ask an administrator to run qm principal bind NAME SUBJECT, or to set '
    'auth.oidc.create_principals to true.'
),
(
    'database_role_not_found', 404, false,
    'The database server has no login role with this name.',
    'Create the login role first: create role NAME login.'
),
(
    'database_role_taken', 409, false,
    'The login role is mapped to another principal.',
    'Remove that mapping first: qm principal map-role OTHER --none.'
),
(
    'audit_append_only', 409, false,
    'Audit records cannot be changed.',
    'To delete old records by whole months, run: qm audit keep MONTHS.'
),
(
    'audit_head_unknown', 409, false,
    'The record to be signed is not among the audit records.',
    'Verify the chain: qm audit verify.'
),
(
    'key_conflict', 409, false,
    'The key was already registered under another label or principal, or was revoked.',
    'Make a new key. If the key is the token in run.json, remove "token" from credentials.json.'
),
(
    'evaluation_invalid', 422, false,
    'The measurements in an evaluation are incomplete.',
    'Send one object for each query, and each id only once, as qm eval run does.'
),
(
    'evaluation_not_found', 404, false,
    'This evaluation does not exist.',
    'List evaluations with: qm eval list.'
),
(
    'evaluations_unlike', 422, false,
    'The two evaluations have no query in common, so they cannot be compared.',
    'Compare evaluations that use the same query file.'
),
(
    'job_not_found', 404, false,
    'No job has this name.',
    'List the jobs with: qm job list.'
),
(
    'job_running', 409, true,
    'The job is already running in another session.',
    'Wait until the job has finished; qm job log shows the result.'
),
(
    'key_hash_invalid', 422, false,
    'The SHA-256 digest of a key must be 32 bytes long.',
    'Send the SHA-256 digest of the key.'
),
(
    'curator_required', 403, false,
    'Only curators, operators and administrators may curate lookup tables.',
    'Ask an administrator to run: qm principal curator NAME.'
),
(
    'person_required', 422, false,
    'Only a person can be appointed as a curator of decisions.',
    'Choose a principal whose kind is person: qm principal list.'
),
(
    'project_not_found', 404, false,
    'There is no such project, or you are not a member of it.',
    'To list your projects and invitations: qm project list. To become a member, ask its owner to '
    'invite you: '
    'qm project members NAME --add PRINCIPAL. To add one: qm project add PATH.'
),
(
    'invitation_not_found', 404, false,
    'You are not invited to this project.',
    'To list your invitations: qm project list. To be invited, ask an owner of the project: qm '
    'project members NAME '
    '--add PRINCIPAL.'
),
(
    'invitation_declined', 409, false,
    'The principal has declined the invitation to this project, so it is not invited again.',
    'Ask the principal. It can still accept: qm project accept OWNER/NAME.'
),
(
    'invitations_unanswered', 409, false,
    'You may have ten invitations that the same principal has not accepted.',
    'Ask the principal to accept one: qm project accept OWNER/NAME. Or withdraw one that is not '
    'answered: '
    'qm project members NAME --remove PRINCIPAL.'
),
(
    'project_ambiguous', 409, false,
    'Several of your projects fit, and the call does not say which one is meant.',
    'Give one of the projects as NAME or OWNER/NAME. MCP: in the argument project. qm: with '
    '--project, or run qm '
    'in the folder of the project. psql: set qm.project = ''NAME''.'
),
(
    'project_exists', 409, false,
    'You already have a project with this name.',
    'Choose another name with --name, or remove the project first: qm project remove NAME.'
),
(
    'project_owner_required', 403, false,
    'Only owners of the project and administrators may change its members or remove it.',
    'Ask an owner of the project: qm project show NAME lists them.'
),
(
    'project_owner_missing', 409, false,
    'A project needs at least one owner.',
    'Make another member an owner first: qm project members NAME --add PRINCIPAL --owner.'
),
(
    'member_not_found', 404, false,
    'The project has no such member.',
    'To list the members: qm project show NAME.'
),
(
    'idempotency_key_reused', 422, false,
    'The idempotency key was already used with other arguments.',
    'Use a new key for a new call. To repeat a call, send exactly the same arguments.'
),
(
    'call_in_progress', 409, false,
    'A call with this idempotency key is in progress.',
    'Send the call again in a moment with the same key to get its answer.'
),
(
    'call_outcome_unknown', 409, false,
    'A call with this idempotency key was made, but its answer was not stored.',
    'Find out whether the call took effect. Then, if necessary, call with a new key.'
),
(
    'repair_invalid', 422, false,
    'The repair of a definition cannot be applied.',
    'Look at the definition with qm tool show NAME, or list the options with qm tool repair --help.'
),
(
    'repair_not_found', 404, false,
    'There is no repair of this definition.',
    'List the repairs with: qm tool repairs.'
),
(
    'repair_suspicious', 422, false,
    'The texts of the repair look like an attack.',
    'Write the texts without instructions to the model, and without invisible characters.'
),
(
    'terms_invalid', 422, false,
    'The terms of the tool (the limits and rules for its calls) are not valid.',
    'List the terms with: qm tool terms --help.'
),
(
    'result_not_kept', 413, false,
    'The result is too large to be stored and read page by page.',
    'Request less data from the tool, or increase the setting answer.largest.'
),
(
    'result_not_found', 404, false,
    'This result does not exist, or it has expired.',
    'Call the tool again.'
);
