-- api.waive: only people may do this, because an agent could excuse its own mistakes. Nobody can waive security as a
-- whole, or a checker that failed. The hook point reason_given passes the reason to other kinds, and decisions makes a
-- candidate of it.
-- Writes: quality.waiver, and tables of the called hooks.
create or replace function api.waive(path text, what text, reason text, until timestamptz, project text default null)
returns bigint
language plpgsql
volatile parallel unsafe security definer
set search_path = pg_catalog, pg_temp
as $function$
declare
    v_principal_id constant bigint := policy.require_principal();
    v_project_id constant integer := projects.find(waive.project);
    v_file_version_id bigint;
    v_id bigint;
    v_hook regproc;
begin
    if (select p.kind from policy.principal as p where p.id = v_principal_id) <> 'person' then
        perform core.fail('waiver_refused', 'only a person may waive a condition of a gate');
    end if;
    if coalesce(waive.path, '') = ''
        or waive.what is null
        or waive.what in ('security', 'failed_checkers')
        or not exists (
            select from quality.gate_condition as c
            where c.metric = waive.what
            union all
            select from quality.findings(quality.file_version(v_project_id, waive.path)) as f
            where f.fingerprint = waive.what
        ) then
        perform core.fail(
            'argument_invalid',
            format('%L cannot be waived', left(waive.what, 200)),
            null,
            'Give overall, coverage, high_findings, missing_calls, unread_language, suppressions, or the fingerprint '
            'of a finding of this file.'
        );
    end if;
    if length(btrim(coalesce(waive.reason, ''))) < 10 then
        perform core.fail(
            'argument_invalid', 'a waiver needs a reason', null, 'Explain in one sentence why the waiver is justified.'
        );
    end if;
    if waive.until is null or waive.until <= core.now() or waive.until > core.now() + interval '1 year' then
        perform core.fail(
            'argument_invalid',
            'a waiver must end within a year',
            null,
            'Give a time in the future, at most a year from now.'
        );
    end if;
    insert into quality.waiver (project_id, path, what, reason, granted_by, granted_at, expires_at)
    values (v_project_id, waive.path, waive.what, btrim(waive.reason), v_principal_id, core.now(), waive.until)
    returning id into v_id;
    -- What is right once may be right always: people decide whether it becomes a decision.
    select max(v.id)
    into v_file_version_id
    from quality.file_version as v
    where v.project_id = v_project_id and v.path = waive.path;
    for v_hook in select h from core.hooks('reason_given') as h loop
        execute format('select %s($1, $2)', v_hook)
        using v_project_id, quality.waiver_candidate(v_id, v_file_version_id);
    end loop;
    return v_id;
end
$function$;
comment on function api.waive(text, text, text, timestamptz, text) is
'Permits an exception (waiver) for a file until a given time: a condition or a finding does not count for this file. '
'The reason is also proposed as a decision of the project. Arguments: path: path of the file; what: name of a '
'condition (overall, coverage, high_findings, missing_calls, unread_language or suppressions), or fingerprint of a '
'finding or of a word that tells checkers to be silent; reason: why the exception is acceptable for this file; until: '
'end of the waiver, at most a year from now; project: the project, as NAME or OWNER/NAME (null: your only project). '
'Returns the id of the waiver. Raises QM403 waiver_refused, QM404 project_not_found, QM422 argument_invalid.';
grant execute on function api.waive to qm_user;
